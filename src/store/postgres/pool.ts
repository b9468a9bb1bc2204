import pg from 'pg';

/** Whole numbers arrive as numbers: ids and counts stay far below 2⁵³. */
const INT8_OID = 20;
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(INT8_OID, Number);

/** Should PostgreSQL be too far gone even to say that something takes too long, `answerWithinMs` ends it. */
export function openPool(url: string, answerWithinMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    lock_timeout: 10_000,
    statement_timeout: 12_000,
    query_timeout: answerWithinMs,
    keepAlive: true,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'hostler',
    types: parsers,
  });
  // A connection that breaks is replaced, and whoever was using it gets the failure from its own statement.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
