import Database from 'better-sqlite3';
import type pg from 'pg';

const MIB = 1024 ** 2;

/** What the store has. */
export interface StoreHoldings {
  /** Tables, with their indexes. */
  readonly sizeMib: number;
  /** Counted, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Room that is taken up by what was changed or removed: rows of PostgreSQL, pages of SQLite. */
  readonly dead: number;
  readonly connections: number;
  /** The number of the newest event. */
  readonly lastEvent: number;
}

const TABLES = `select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_dead_tup::float8 as dead
  from pg_stat_user_tables where schemaname = current_schema() order by relname`;
const OTHERS = `select last_id::float8 as last_event,
  (select count(*)::float8 from pg_stat_activity where application_name = 'hostler') as connections from log_state`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export async function postgresHoldings(db: pg.Client): Promise<StoreHoldings> {
  const tables = await db.query<{ name: string; bytes: number; dead: number }>(TABLES);
  const counts = tables.rows.map(
    ({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name}`,
  );
  const counted = await db.query<{ name: string; rows: number }>(counts.join(' union all '));
  const others = await db.query<{ last_event: number; connections: number }>(OTHERS);
  return {
    sizeMib: sum(tables.rows.map(({ bytes }) => bytes)) / MIB,
    rows: Object.fromEntries(counted.rows.map(({ name, rows }) => [name, rows])),
    dead: sum(tables.rows.map(({ dead }) => dead)),
    connections: others.rows[0]?.connections ?? 0,
    lastEvent: others.rows[0]?.last_event ?? 0,
  };
}

/** Read beside the server that has it open. */
export function sqliteHoldings(file: string): StoreHoldings {
  const database = new Database(file, { readonly: true });
  try {
    const numberOf = (sql: string) => Number(database.prepare(sql).pluck().get());
    const names = database
      .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
      .pluck()
      .all();
    return {
      sizeMib: (numberOf('pragma page_count') * numberOf('pragma page_size')) / MIB,
      rows: Object.fromEntries(names.map(name => [name, numberOf(`select count(*) from ${name}`)])),
      dead: numberOf('pragma freelist_count'),
      connections: 0,
      lastEvent: numberOf('select last_id from log_state'),
    };
  } finally {
    database.close();
  }
}
