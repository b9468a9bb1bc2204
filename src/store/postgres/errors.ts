import { setTimeout as delay } from 'node:timers/promises';
import { StoreDamagedError, StoreUnavailableError } from '../../domain/errors.ts';
import { errorCode } from '../../lib/errors.ts';

/** The connection is lost, and nothing that was asked on it counts: it can be asked again on another. */
export class ConnectionLostError extends StoreUnavailableError {}

const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Messages of the client library, which gives these failures no code. */
const CONNECTION_MESSAGES = /^(Connection terminated|Client has encountered a connection error)/;
const TIMEOUT_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|Query read timeout)/;

const hasMessage = (error: unknown, message: RegExp) => error instanceof Error && message.test(error.message);

/** Whether it was waited for too long: whoever asks again would wait as long again. */
const isTimeout = (error: unknown) => hasMessage(error, TIMEOUT_MESSAGES);

/** Whether the connection is lost, or of no use any more. */
export function isConnectionFailure(error: unknown): boolean {
  const code = errorCode(error);
  // Class 08: connection exceptions; 57P01 to 57P03: shutting down, crashed, starting up; 53300: too many connections; 57P05, 25P03:
  // the connection, or a transaction on it, was left idle for too long.
  if (/^(08...|57P0[1235]|53300|25P03)$/.test(code) || NETWORK_CODES.has(code)) return true;
  return hasMessage(error, CONNECTION_MESSAGES) || isTimeout(error);
}

/**
 * Whether it is PostgreSQL as a whole that failed, or the way to it, rather than a statement: also when it had others to serve
 * for longer than our limits (55P03: locks, 57014: statements), is a standby that only reads (25006), or has a full disk (53100).
 */
const isUnavailable = (error: unknown): boolean =>
  isConnectionFailure(error) || ['55P03', '57014', '25006', '53100'].includes(errorCode(error));

/** What others are told of a failure; one of a statement itself is theirs as it is. */
export function toStoreError(error: unknown): unknown {
  // XX001: data corrupted; XX002: index corrupted; 42P01 and 42703: no such table or column, though the migrations create all of them.
  if (/^(XX00[12]|42P01|42703)$/.test(errorCode(error))) return new StoreDamagedError(error);
  if (!isUnavailable(error)) return error;
  const isRetryable = isConnectionFailure(error) && !isTimeout(error);
  return isRetryable ? new ConnectionLostError(error) : new StoreUnavailableError(error);
}

/** 40001: serialization failure; 40P01: deadlock. */
export const isSerializationFailure = (error: unknown): boolean =>
  ['40001', '40P01'].includes(errorCode(error));

/** Whether it, or what it came from, failed since others had what it needed: locks (55P03), or each the other's. */
export const isLockConflict = (error: unknown): boolean =>
  errorCode(error) === '55P03' ||
  isSerializationFailure(error) ||
  (error instanceof Error && error.cause !== undefined && isLockConflict(error.cause));

/** Class 28: wrong user or password; 3D000: no such database. */
export const isLoginRejected = (error: unknown): error is Error => /^(28...|3D000)$/.test(errorCode(error));

/** A PostgreSQL that is restarted is back sooner than this, and callers do not notice. */
const MAX_OUTAGE_MS = 2500;
const MAX_BACKOFF_MS = 250;
/** For one that answers others and never this. */
const MAX_ATTEMPTS = 20;

/**
 * For how long nothing has come through to PostgreSQL, as all connections of this server show. A short outage is bridged: what has
 * lost its connection is tried again. In a long one nobody waits for more than one try.
 */
export class OutageRetry {
  readonly #monotonicMs: () => number;
  #sinceMs: number | undefined;

  constructor(monotonicMs = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Something came through. */
  reset(): void {
    this.#sinceMs = undefined;
  }

  /** Whether what failed is worth another try; if so, once a moment has passed. */
  async shouldRetry(error: unknown, attempt: number): Promise<boolean> {
    if (!(error instanceof ConnectionLostError)) return false;
    const nowMs = this.#monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs > MAX_OUTAGE_MS || attempt >= MAX_ATTEMPTS) return false;
    const backoffMs = Math.min(MAX_BACKOFF_MS, 10 * 2 ** attempt);
    // At least half of it: all attempts together are to last as long as an outage is bridged.
    await delay(backoffMs * (0.5 + Math.random() / 2));
    return true;
  }

  /** Asks until there is an answer. For what may be asked twice. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation();
      } catch (error) {
        if (!(await this.shouldRetry(error, attempt))) throw error;
      }
    }
  }
}
