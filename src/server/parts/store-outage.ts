import { StoreDamagedError, StoreUnavailableError } from '../../domain/errors.ts';
import { isRecord } from '../../lib/is-record.ts';
import type { Log } from '../../lib/log.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { outageReason } from './outage-reason.ts';

const TELL_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 2000;
/** A full disk still answers who only asks. So it is over when nothing has failed for longer than from one heartbeat to the next, too. */
const QUIET_MS = 8000;

interface OutagePorts {
  readonly log: Log;
  readonly clock: AlarmClock;
  /** Writes to the store; throws `StoreUnavailable` while that fails. */
  readonly ask: () => Promise<unknown>;
}

/** The error that a line is about. */
const errorIn = ([fields]: readonly unknown[]): unknown => (isRecord(fields) ? fields['err'] : undefined);

/**
 * While the store is away everything that needs it fails, again and again. Of all that the log gets a line when it begins, one a minute with
 * how often something failed, and one when it is over; at the level debug it has each.
 */
export class StoreOutage {
  readonly #ports: OutagePorts;
  #isStopped = false;
  #cancelLook: () => void = () => {};
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #current: { readonly sinceMs: number; lastMs: number; failures: number; isTold: boolean } | undefined;

  constructor(ports: OutagePorts) {
    this.#ports = ports;
  }

  /** The same log for those who need the store: what they say of its being away is counted. */
  quietLog(): Log {
    const { log } = this.#ports;
    const unlessAway =
      (level: 'warn' | 'error') =>
      (...line: unknown[]): void => {
        const error = errorIn(line);
        const isAway = error instanceof StoreUnavailableError;
        Reflect.apply(log[isAway ? 'debug' : level], log, line);
        if (isAway) this.#failed(error);
      };
    return Object.assign(log.child({}), {
      warn: unlessAway('warn'),
      error: unlessAway('error'),
      writeInfo: log.writeInfo,
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelLook();
  }

  #failed(error: StoreUnavailableError): void {
    const nowMs = this.#ports.clock.monotonicMs();
    const isNew = this.#current === undefined;
    this.#current ??= { sinceMs: nowMs, lastMs: nowMs, failures: 0, isTold: false };
    this.#current.failures += 1;
    this.#current.lastMs = nowMs;
    if (isNew) this.#lookLater();
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    const { sinceMs, failures, isTold } = this.#current;
    this.#current.isTold = true;
    const problem = outageReason(error);
    if (error instanceof StoreDamagedError)
      this.#ports.log.error({ problem }, 'the store is corrupt; stop the server and restore a backup');
    else if (isTold)
      this.#ports.log.error(
        { problem, failures, seconds: Math.round((nowMs - sinceMs) / 1000) },
        'store still unavailable',
      );
    else this.#ports.log.error({ problem }, 'store unavailable; retrying');
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#cancelLook = this.#ports.clock.after(LOOK_EVERY_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { clock } = this.#ports;
    if (this.#current && clock.monotonicMs() - this.#current.lastMs >= QUIET_MS && (await this.#answers()))
      this.#over();
    else this.#lookLater();
  }

  async #answers(): Promise<boolean> {
    const { ask } = this.#ports;
    try {
      await ask();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) return true;
      if (!this.#isStopped) this.#failed(error);
      return false;
    }
  }

  #over(): void {
    if (this.#isStopped || this.#current === undefined) return;
    const { sinceMs, lastMs, failures, isTold } = this.#current;
    this.#current = undefined;
    if (isTold)
      this.#ports.log.warn(
        { failures, seconds: Math.round((lastMs - sinceMs) / 1000) },
        'store available again',
      );
  }
}
