import pg from 'pg';

/** Whole numbers arrive as numbers: ids and counts stay far below 2⁵³. */
const INT8_OID = 20;
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(INT8_OID, Number);

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'hostler',
    types: parsers,
  });
  // A connection that breaks is replaced, and whoever was using it gets the failure from its own statement.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
