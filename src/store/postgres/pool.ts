import pg from 'pg';
import { noteLife } from './commit-fate.ts';
import { withSettings } from './session-settings.ts';

/** Whole numbers arrive as numbers: all are below 2⁵³, also numbers of the log after a restore, which are microseconds. */
const INT8_OID = 20;
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(INT8_OID, Number);

/** Until there is a connection, an old one or a new one. */
const CONNECT_WITHIN_MS = 5000;
const KEEP_ALIVE_AFTER_MS = 10_000;

export interface PoolOptions {
  /** The most connections at once. */
  readonly size: number;
  /** Should PostgreSQL be too far gone even to say that something takes too long, this ends it; 0: it may take any time. */
  readonly answerWithinMs: number;
}

export function openPool(url: string, { size, answerWithinMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...withSettings(url),
    max: size,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'hostler',
    types: parsers,
    onConnect: noteLife,
  });
  // A connection that breaks is replaced, and whoever was using it gets the failure from its own statement.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
