import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { StorePlace } from './stores.ts';

/** Everything that is stored, to be compared. Of what was told, how much there is says enough; where it is changes by itself. */
export interface StoredRows {
  read(): Promise<string>;
  close(): Promise<void>;
}

const TOLD_IN = ['outbox', 'log', 'log_state', 'cluster_statuses'];
/** That somebody was refused changes nothing else; and what a cluster is now follows from the rest. */
const NOT_COUNTED = [
  'request.denied',
  'request.denials_suppressed',
  'account.login_failed',
  'cluster.status',
];
const told = (table: string) =>
  `(select count(*) from ${table} where type not in (${NOT_COUNTED.map(type => `'${type}'`).join(', ')}))`;
const TOLD = `select ${told('log')} + ${told('outbox')} as told`;

/** A login is stored, also when the request is refused. */
const isCompared = (table: string) => ![...TOLD_IN, 'sign_in_networks'].includes(table);

interface Named {
  readonly name: string;
}

/** Reads a store beside the service that has it. */
export async function openStoredRows({ kind, folder, location }: StorePlace): Promise<StoredRows> {
  if (kind === 'sqlite') {
    const database = new Database(path.join(folder, 'hostler.sqlite'), { readonly: true });
    const tables = database
      .prepare<[], Named>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all();
    const statements = tables
      .map(({ name }) => name)
      .filter(isCompared)
      .map(name => ({ name, rows: database.prepare<[], object>(`select * from ${name}`) }));
    const told = { name: 'told', rows: database.prepare<[], object>(TOLD) };
    const read = async () =>
      [...statements, told]
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
  const { rows: tables } = await client.query<Named>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  // In one question: it is asked after each of thousands of requests.
  const text = tables
    .map(({ name }) => name)
    .filter(isCompared)
    .map(name => `select '${name} ' || to_jsonb(each)::text as line from ${name} as each`)
    .concat(`select 'told ' || told from (${TOLD}) as each`)
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
