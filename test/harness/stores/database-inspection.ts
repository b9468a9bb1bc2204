import Database from 'better-sqlite3';
import pg from 'pg';
import { vi } from 'vitest';
import { storeFilePath } from '../../../src/store/sqlite/open-sqlite.ts';
import type { TestDatabase } from './stores.ts';

/** The stored data as text, for comparisons. Events are only counted, because their location changes. */
export interface StoredRows {
  read(): Promise<string>;
  close(): Promise<void>;
}

const EVENT_TABLES = ['outbox', 'log', 'log_state', 'cluster_statuses'];
/** Rejections change no other data, and the cluster status is derived. */
const IGNORED_EVENT_TYPES = ['request.denied', 'request.denials_suppressed', 'account.login_failed', 'cluster.status'];
const countEvents = (table: string) =>
  `(select count(*) from ${table} where type not in (${IGNORED_EVENT_TYPES.map(type => `'${type}'`).join(', ')}))`;
const EVENT_COUNT_SQL = `select ${countEvents('log')} + ${countEvents('outbox')} as events`;

/** A login is stored even if the request is rejected. */
const isCompared = (table: string) => ![...EVENT_TABLES, 'sign_in_networks'].includes(table);

interface TableName {
  readonly name: string;
}

/** Reads a store that a server has open. */
export async function openStoredRows({ kind, folder, location }: TestDatabase): Promise<StoredRows> {
  if (kind === 'sqlite') {
    const database = new Database(storeFilePath(folder), { readonly: true });
    const tables = database
      .prepare<[], TableName>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all();
    const statements = tables
      .map(({ name }) => name)
      .filter(isCompared)
      .map(name => ({ name, rows: database.prepare<[], object>(`select * from ${name}`) }));
    const eventCount = { name: 'events', rows: database.prepare<[], object>(EVENT_COUNT_SQL) };
    const read = async () =>
      [...statements, eventCount]
        .flatMap(({ name, rows }) => [
          name,
          ...rows
            .all()
            .map(row => JSON.stringify(row))
            .sort(),
        ])
        .join('\n');
    return { read, close: async () => void database.close() };
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  const { rows: tables } = await client.query<TableName>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  // One query, because it runs after each of thousands of requests.
  const text = tables
    .map(({ name }) => name)
    .filter(isCompared)
    .map(name => `select '${name} ' || to_jsonb(each)::text as line from ${name} as each`)
    .concat(`select 'events ' || events from (${EVENT_COUNT_SQL}) as each`)
    .join(' union all ');
  const read = async () => {
    const { rows } = await client.query<{ line: string }>({ name: 'stored rows', text });
    return rows
      .map(({ line }) => line)
      .sort()
      .join('\n');
  };
  return { read, close: () => client.end() };
}

/** Records all SQLite statements until `vi.restoreAllMocks`. */
export function recordStatements(): Set<string> {
  const statements = new Set<string>();
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
    statements.add(sql);
    return prepare.call(this, sql);
  });
  return statements;
}

/** SQLite query plans of the statements that read these tables. */
export function explainStatements(
  { folder }: TestDatabase,
  statements: Iterable<string>,
  tables: readonly string[],
): readonly string[] {
  const database = new Database(storeFilePath(folder), { readonly: true });
  const relevant = [...statements].filter(
    sql =>
      /^\s*(select|with) /.test(sql) &&
      tables.some(table => sql.includes(`from "${table}"`) || sql.includes(`from ${table} `)),
  );
  const found = relevant.map(sql => {
    const values = Array.from(sql.matchAll(/\?/g), () => 'x');
    const steps = database.prepare<string[], { detail: string }>(`explain query plan ${sql}`);
    return steps.all(...values).map(step => step.detail);
  });
  database.close();
  return found.flat();
}

/** PostgreSQL sequential scans of these tables. A connection reports them at the latest when it ends. */
export async function countSequentialScans({ location }: TestDatabase, tables: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  const { rows } = await client.query(
    'select sum(seq_scan) as seq_scan from pg_stat_user_tables where relname = any($1)',
    [tables],
  );
  await client.end();
  return Number(rows[0]?.seq_scan);
}
