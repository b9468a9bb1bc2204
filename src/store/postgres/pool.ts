import pg from 'pg';
import { recordGeneration } from './connection.ts';

/**
 * Session settings, in milliseconds, except keepalives in seconds. If a server stops inside a transaction,
 * PostgreSQL must roll it back before the sessions that wait for its locks time out. All timeouts must be
 * much shorter than a lease.
 */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 4000,
  statement_timeout: 5000,
  // Connections of a machine that disappeared are closed after 25 s, or 10 s after data was sent to it.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};

/** Options in the URL come last and override the defaults. */
export function toConnectionConfig(url: string): {
  readonly connectionString: string;
  readonly options: string;
} {
  const defaults = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const parsedUrl = new URL(url);
  const urlOptions = parsedUrl.searchParams.get('options');
  if (urlOptions === null) return { connectionString: url, options: defaults.join(' ') };
  parsedUrl.searchParams.delete('options');
  return { connectionString: parsedUrl.href, options: [...defaults, urlOptions].join(' ') };
}

/** Parses `bigint` as a number. All values are below 2⁵³, also event ids after a restore (microseconds). */
const INT8_OID = 20;
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(INT8_OID, Number);

const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export interface PoolOptions {
  readonly size: number;
  /** Applies if PostgreSQL does not enforce its own timeouts. 0: no limit. */
  readonly responseTimeoutMs: number;
}

export function createPool(url: string, { size, responseTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...toConnectionConfig(url),
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: responseTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'hostler',
    types: parsers,
    onConnect: recordGeneration,
  });
  // The pool replaces a lost connection, and the statement that used it reports the error.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
