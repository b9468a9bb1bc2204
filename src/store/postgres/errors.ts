import { setTimeout as delay } from 'node:timers/promises';
import { StoreCorruptError, StoreUnavailableError } from '../../domain/errors.ts';
import { errorCode } from '../../lib/errors.ts';
import { exponentialBackoffMs } from '../../lib/time/backoff.ts';

/** The connection is lost without effect, so the work can be retried on another connection. */
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

/** Messages of the client library that have no code. */
const CONNECTION_MESSAGES = /^(Connection terminated|Client has encountered a connection error)/;
const TIMEOUT_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|Query read timeout)/;

const hasMessage = (error: unknown, message: RegExp) => error instanceof Error && message.test(error.message);

/** A retry would wait for the same time again. */
const isTimeout = (error: unknown) => hasMessage(error, TIMEOUT_MESSAGES);

export function isConnectionFailure(error: unknown): boolean {
  const code = errorCode(error);
  // Class 08: connection exceptions. 57P01 to 57P03: shutdown, crash, startup. 53300: too many connections.
  // 57P05, 25P03: idle timeout of the session or transaction.
  if (/^(08...|57P0[1235]|53300|25P03)$/.test(code) || NETWORK_CODES.has(code)) return true;
  return hasMessage(error, CONNECTION_MESSAGES) || isTimeout(error);
}

/**
 * Returns whether PostgreSQL or the network failed, and not the statement. This includes lock (55P03) and
 * statement (57014) timeouts, a read-only standby (25006) and a full disk (53100).
 */
const isUnavailable = (error: unknown): boolean =>
  isConnectionFailure(error) || ['55P03', '57014', '25006', '53100'].includes(errorCode(error));

/** Returns errors of a statement itself unchanged. */
export function toStoreError(error: unknown): unknown {
  // XX001: data corrupted. XX002: index corrupted. 42P01 and 42703: a table or column is missing, although
  // the migrations create all of them.
  if (/^(XX00[12]|42P01|42703)$/.test(errorCode(error))) return new StoreCorruptError(error);
  if (!isUnavailable(error)) return error;
  const isRetryable = isConnectionFailure(error) && !isTimeout(error);
  return isRetryable ? new ConnectionLostError(error) : new StoreUnavailableError(error);
}

/** 40001: serialization failure. 40P01: deadlock. */
export const isSerializationFailure = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error));

/** Also checks the causes of the error. 55P03: lock timeout. */
export const isLockConflict = (error: unknown): boolean =>
  errorCode(error) === '55P03' ||
  isSerializationFailure(error) ||
  (error instanceof Error && error.cause !== undefined && isLockConflict(error.cause));

/** Class 28: wrong user or password. 3D000: no such database. */
export const isLoginRejected = (error: unknown): error is Error => /^(28...|3D000)$/.test(errorCode(error));

/** A restart of PostgreSQL is usually shorter, so callers do not notice it. */
const MAX_OUTAGE_MS = 2500;
const INITIAL_BACKOFF_MS = 20;
const MAX_BACKOFF_MS = 250;
/** For an operation that always fails while others succeed. */
const MAX_ATTEMPTS = 20;

/**
 * Tracks how long no query of this server has succeeded. In a short outage, work that lost its connection is
 * retried. In a long outage each call fails after one attempt.
 */
export class OutageRetry {
  readonly #monotonicMs: () => number;
  #sinceMs: number | undefined;

  constructor(monotonicMs = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  reset(): void {
    this.#sinceMs = undefined;
  }

  /** Waits before it returns true. */
  async shouldRetry(error: unknown, attempt: number): Promise<boolean> {
    if (!(error instanceof ConnectionLostError)) return false;
    const nowMs = this.#monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs > MAX_OUTAGE_MS || attempt >= MAX_ATTEMPTS) return false;
    const backoffMs = exponentialBackoffMs(INITIAL_BACKOFF_MS, attempt, MAX_BACKOFF_MS);
    // At least half of the backoff: all attempts together must last as long as `MAX_OUTAGE_MS`.
    await delay(backoffMs * (0.5 + Math.random() / 2));
    return true;
  }

  /** `operation` must be safe to repeat. */
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
