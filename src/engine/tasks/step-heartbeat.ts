import type { TimerClock } from '../../lib/time/clock.ts';
import type { FencedHostConnection } from '../host-connection.ts';

/** Well within the time for which an answer of a host counts. */
const INTERVAL_MS = 5000;

/** While a step runs, saves every few seconds that its host answers and how long the step has taken. */
export class StepHeartbeat {
  readonly #clock: TimerClock;
  readonly #connection: Pick<FencedHostConnection, 'answers'>;
  readonly #save: (hasAnswered: boolean, elapsedMs: number) => Promise<void>;
  readonly #startedMs: number;
  #answers: number;
  #cancelTimer = () => {};
  #saving: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(
    clock: TimerClock,
    connection: Pick<FencedHostConnection, 'answers'>,
    save: (hasAnswered: boolean, elapsedMs: number) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#connection = connection;
    this.#save = save;
    this.#startedMs = clock.monotonicMs();
    this.#answers = connection.answers;
    this.#schedule();
  }

  /** Resolves when nothing is being saved any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#saving;
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.setTimer(INTERVAL_MS, () => {
      this.#saving = this.#beat();
    });
  }

  /** What cannot be saved now is saved at the next beat, or with the outcome of the step. */
  async #beat(): Promise<void> {
    const hasAnswered = this.#connection.answers > this.#answers;
    this.#answers = this.#connection.answers;
    await this.#save(hasAnswered, this.#clock.monotonicMs() - this.#startedMs).catch(() => {});
    if (!this.#isStopped) this.#schedule();
  }
}
