import Database from 'better-sqlite3';
import type pg from 'pg';
import type { HostState } from './staying-hosts.ts';

const MIB = 1024 ** 2;

/** What the store has. */
export interface StoreHoldings {
  /** Tables, with their indexes. */
  readonly sizeMib: number;
  /** Counted, by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly connections: number;
  /** The number of the newest event. */
  readonly lastEvent: number;
  /** When the oldest that is kept for a while happened, by table; UTC, without a zone. */
  readonly oldest: Readonly<Record<string, string | null>>;
}

const TABLES = `select relname as name, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables where schemaname = current_schema() order by relname`;
const OTHERS = `select last_id::float8 as last_event,
  (select count(*)::float8 from pg_stat_activity where application_name = 'hostler') as connections from log_state`;

const OLDEST = `select (select min(at) from log) as log, (select min(finished_at) from operations) as operations`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export async function postgresHoldings(db: pg.Client): Promise<StoreHoldings> {
  const tables = await db.query<{ name: string; bytes: number }>(TABLES);
  const counts = tables.rows.map(
    ({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name}`,
  );
  const counted = await db.query<{ name: string; rows: number }>(counts.join(' union all '));
  const others = await db.query<{ last_event: number; connections: number }>(OTHERS);
  const oldest = await db.query<StoreHoldings['oldest']>(OLDEST);
  return {
    sizeMib: sum(tables.rows.map(({ bytes }) => bytes)) / MIB,
    rows: Object.fromEntries(counted.rows.map(({ name, rows }) => [name, rows])),
    connections: others.rows[0]?.connections ?? 0,
    lastEvent: others.rows[0]?.last_event ?? 0,
    oldest: oldest.rows[0] ?? {},
  };
}

const HOSTS = 'select address, status, last_check from hosts';

export async function postgresHosts(db: pg.Client): Promise<readonly HostState[]> {
  return (await db.query<HostState>(HOSTS)).rows;
}

/** Read beside the server that has it open. */
function reading<Result>(file: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(file, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

export const sqliteHosts = (file: string): readonly HostState[] =>
  reading(file, database => database.prepare<[], HostState>(HOSTS).all());

export const sqliteHoldings = (file: string): StoreHoldings =>
  reading(file, database => {
    const numberOf = (sql: string) => Number(database.prepare(sql).pluck().get());
    const names = database
      .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
      .pluck()
      .all();
    return {
      sizeMib: (numberOf('pragma page_count') * numberOf('pragma page_size')) / MIB,
      rows: Object.fromEntries(names.map(name => [name, numberOf(`select count(*) from ${name}`)])),
      connections: 0,
      lastEvent: numberOf('select last_id from log_state'),
      oldest: database.prepare<[], StoreHoldings['oldest']>(OLDEST).get() ?? {},
    };
  });
