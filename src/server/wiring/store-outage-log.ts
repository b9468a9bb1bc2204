import { StoreCorruptError, StoreUnavailableError } from '../../domain/errors.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';

/** Formats the cause in one line. The error of a name with several addresses has a code but no message. */
export const describeStoreError = ({ cause }: StoreUnavailableError): string =>
  sanitizeLine(errorMessage(cause) || errorCode(cause));

const LOG_INTERVAL_MS = 60_000;
const PROBE_INTERVAL_MS = 2000;
/** Without a failed write. Longer than the heartbeat interval, because reads succeed with a full disk. */
const RECOVERY_MS = 8000;

interface OutagePorts {
  readonly log: Log;
  readonly clock: TimerClock;
  /** Writes to the store. Throws StoreUnavailableError while that fails. */
  readonly probeStore: () => Promise<unknown>;
}

const findLoggedError = ([fields]: readonly unknown[]): unknown => (isRecord(fields) ? fields['err'] : undefined);

/** Logs the begin and the end of an outage, and the number of failures once a minute. */
export class StoreOutageLog {
  readonly #ports: OutagePorts;
  #isStopped = false;
  #cancelProbe: () => void = () => {};
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #current: { readonly sinceMs: number; lastMs: number; failures: number; isLogged: boolean } | undefined;

  constructor(ports: OutagePorts) {
    this.#ports = ports;
  }

  /** For components that use the store: counts store outages and logs them at the level debug. */
  wrapLog(): Log {
    const { log } = this.#ports;
    const demoteOutages =
      (level: 'warn' | 'error') =>
      (...line: unknown[]): void => {
        const error = findLoggedError(line);
        const isOutage = error instanceof StoreUnavailableError;
        Reflect.apply(log[isOutage ? 'debug' : level], log, line);
        if (isOutage) this.#recordFailure(error);
      };
    return Object.assign(log.child({}), {
      warn: demoteOutages('warn'),
      error: demoteOutages('error'),
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelProbe();
  }

  #recordFailure(error: StoreUnavailableError): void {
    const nowMs = this.#ports.clock.monotonicMs();
    const isNew = this.#current === undefined;
    this.#current ??= { sinceMs: nowMs, lastMs: nowMs, failures: 0, isLogged: false };
    this.#current.failures += 1;
    this.#current.lastMs = nowMs;
    if (isNew) this.#scheduleProbe();
    if (nowMs - this.#loggedAtMs < LOG_INTERVAL_MS) return;
    this.#loggedAtMs = nowMs;
    const { sinceMs, failures, isLogged } = this.#current;
    this.#current.isLogged = true;
    const problem = describeStoreError(error);
    if (error instanceof StoreCorruptError)
      this.#ports.log.error({ problem }, 'the store is corrupt; stop the server and restore a backup');
    else if (isLogged)
      this.#ports.log.error(
        { problem, failures, seconds: Math.round((nowMs - sinceMs) / 1000) },
        'store still unavailable',
      );
    else this.#ports.log.error({ problem }, 'store unavailable; retrying');
  }

  #scheduleProbe(): void {
    if (this.#isStopped) return;
    this.#cancelProbe = this.#ports.clock.setTimer(PROBE_INTERVAL_MS, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const { clock } = this.#ports;
    if (this.#current && clock.monotonicMs() - this.#current.lastMs >= RECOVERY_MS && (await this.#isAvailable()))
      this.#end();
    else this.#scheduleProbe();
  }

  async #isAvailable(): Promise<boolean> {
    const { probeStore } = this.#ports;
    try {
      await probeStore();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) return true;
      if (!this.#isStopped) this.#recordFailure(error);
      return false;
    }
  }

  #end(): void {
    if (this.#isStopped || this.#current === undefined) return;
    const { sinceMs, lastMs, failures, isLogged } = this.#current;
    this.#current = undefined;
    if (isLogged)
      this.#ports.log.warn({ failures, seconds: Math.round((lastMs - sinceMs) / 1000) }, 'store available again');
  }
}
