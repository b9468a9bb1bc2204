import Database from 'better-sqlite3';
import type pg from 'pg';

const MIB = 1024 ** 2;

export interface StoreUsage {
  /** Including indexes. */
  readonly sizeMib: number;
  /** Row counts by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly connections: number;
  /** ID of the newest event. */
  readonly lastEvent: number;
  /** Oldest time by table with a retention period; UTC without a zone. */
  readonly oldest: Readonly<Record<string, string | null>>;
}

const TABLES = `select relname as name, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables where schemaname = current_schema() order by relname`;
const COUNTERS = `select last_id::float8 as last_event,
  (select count(*)::float8 from pg_stat_activity where application_name = 'hostler') as connections from log_state`;

const OLDEST = `select (select min(at) from log) as log, (select min(finished_at) from operations) as operations`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export async function measurePostgres(db: pg.Client): Promise<StoreUsage> {
  const tables = await db.query<{ name: string; bytes: number }>(TABLES);
  const counts = tables.rows.map(({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name}`);
  const counted = await db.query<{ name: string; rows: number }>(counts.join(' union all '));
  const others = await db.query<{ last_event: number; connections: number }>(COUNTERS);
  const oldest = await db.query<StoreUsage['oldest']>(OLDEST);
  return {
    sizeMib: sum(tables.rows.map(({ bytes }) => bytes)) / MIB,
    rows: Object.fromEntries(counted.rows.map(({ name, rows }) => [name, rows])),
    connections: others.rows[0]?.connections ?? 0,
    lastEvent: others.rows[0]?.last_event ?? 0,
    oldest: oldest.rows[0] ?? {},
  };
}

const HOSTS = 'select address, status, last_check from hosts';

export async function listPostgresHosts(db: pg.Client): Promise<readonly HostState[]> {
  return (await db.query<HostState>(HOSTS)).rows;
}

/** The server has the database open. */
function withDatabase<Result>(file: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(file, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

export const listSqliteHosts = (file: string): readonly HostState[] =>
  withDatabase(file, database => database.prepare<[], HostState>(HOSTS).all());

export const measureSqlite = (file: string): StoreUsage =>
  withDatabase(file, database => {
    const readNumber = (sql: string) => Number(database.prepare(sql).pluck().get());
    const names = database
      .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
      .pluck()
      .all();
    return {
      sizeMib: (readNumber('pragma page_count') * readNumber('pragma page_size')) / MIB,
      rows: Object.fromEntries(names.map(name => [name, readNumber(`select count(*) from ${name}`)])),
      connections: 0,
      lastEvent: readNumber('select last_id from log_state'),
      oldest: database.prepare<[], StoreUsage['oldest']>(OLDEST).get() ?? {},
    };
  });

/** Host fields in the store. */
export interface HostState {
  readonly address: string;
  readonly status: string;
  /** UTC without a zone; empty before the first check. */
  readonly last_check: string;
}

const MAX_LISTED = 5;

const truncateList = (errors: readonly string[]): readonly string[] =>
  errors.length > MAX_LISTED
    ? [...errors.slice(0, MAX_LISTED), `and ${errors.length - MAX_LISTED} more hosts`]
    : errors;

/** Expected hosts that are missing, not active, or not checked since then. */
export function findUnhealthyHosts(
  states: readonly HostState[],
  expectedHosts: readonly string[],
  sinceMs: number,
): readonly string[] {
  const statesByAddress = new Map(states.map(state => [state.address, state]));
  return truncateList(
    expectedHosts.flatMap(address => {
      const { status = 'gone', last_check = '' } = statesByAddress.get(address) ?? {};
      if (status !== 'active') return [`${address} is ${status}`];
      const isChecked = Date.parse(`${last_check}Z`) >= sinceMs;
      return isChecked ? [] : [`${address} was checked at ${last_check || 'no time'} for the last time`];
    }),
  );
}
