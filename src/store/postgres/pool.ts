import pg from 'pg';
import { recordGeneration } from './connection.ts';

/**
 * What PostgreSQL keeps to on each connection of ours, in milliseconds but for keepalives, which are in seconds. What must hold: a
 * server that froze inside a transaction loses it, and with it its locks, before whoever waits for them gives up; and all of it is
 * much shorter than a lease.
 */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 4000,
  statement_timeout: 5000,
  // A machine that vanished says nothing any more: its connections are closed after 25 s, or 10 s after something was sent to it.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};

/** Where to connect, and the settings as the parameter `options`. What the URL asks for itself comes later, and wins. */
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

/** Whole numbers arrive as numbers: all are below 2⁵³, also numbers of the log after a restore, which are microseconds. */
const INT8_OID = 20;
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(INT8_OID, Number);

/** Until there is a connection, an old one or a new one. */
const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export interface PoolOptions {
  /** The most connections at once. */
  readonly size: number;
  /** Should PostgreSQL be too far gone even to say that something takes too long, this ends it; 0: it may take any time. */
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
  // A connection that breaks is replaced, and whoever was using it gets the failure from its own statement.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
