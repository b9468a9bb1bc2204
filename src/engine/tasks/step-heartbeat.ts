import type { TimerClock } from '../../lib/time/clock.ts';
import type { FencedHostConnection, HostContact } from '../host-connection.ts';

/** Well below the time for which a contact with a host counts as recent. */
const INTERVAL_MS = 5000;

/** Saves the elapsed time of a long step and the last response of its host, so that both survive a crash. */
export class StepHeartbeat {
  readonly #clock: TimerClock;
  readonly #connection: Pick<FencedHostConnection, 'lastContact'>;
  readonly #save: (hasResponded: boolean, elapsedMs: number) => Promise<void>;
  readonly #startedMs: number;
  #lastContact: HostContact | undefined;
  #cancelTimer = () => {};
  #saving: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(
    clock: TimerClock,
    connection: Pick<FencedHostConnection, 'lastContact'>,
    save: (hasResponded: boolean, elapsedMs: number) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#connection = connection;
    this.#save = save;
    this.#startedMs = clock.monotonicMs();
    this.#lastContact = connection.lastContact;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#saving;
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.setTimer(INTERVAL_MS, () => {
      this.#saving = this.#heartbeat();
    });
  }

  /** A failed save is covered by the next heartbeat or by the outcome of the step. */
  async #heartbeat(): Promise<void> {
    const { lastContact } = this.#connection;
    const hasResponded = lastContact !== this.#lastContact && lastContact?.result === 'responded';
    this.#lastContact = lastContact;
    await this.#save(hasResponded, this.#clock.monotonicMs() - this.#startedMs).catch(() => {});
    if (!this.#isStopped) this.#schedule();
  }
}
