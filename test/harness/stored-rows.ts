import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { StorePlace } from './stores.ts';

type Query = (statement: string) => Promise<readonly Record<string, unknown>[]>;

/** Everything that is stored, to be compared. Of what was told, how much there is says enough; where it is changes by itself. */
export interface StoredRows {
  read(): Promise<string>;
  close(): Promise<void>;
}

const TOLD_IN = ['outbox', 'log', 'log_state', 'cluster_statuses'];
/** That somebody was refused changes nothing else; and what a cluster is now follows from the rest. */
const NOT_COUNTED = ['request.refused', 'request.left_out', 'account.login_refused', 'cluster.status'];
const told = (table: string) =>
  `(select count(*) from ${table} where type not in (${NOT_COUNTED.map(type => `'${type}'`).join(', ')}))`;
const TOLD = `select ${told('log')} + ${told('outbox')} as told`;

async function readAll(query: Query, tables: readonly string[]): Promise<string> {
  const all: string[] = [];
  for (const table of tables) {
    if (TOLD_IN.includes(table)) continue;
    const rows = await query(`select * from ${table}`);
    all.push(table, ...rows.map(row => JSON.stringify(row)).sort());
  }
  all.push('told', JSON.stringify(await query(TOLD)));
  return all.join('\n');
}

const namesIn = (rows: readonly Record<string, unknown>[]) => rows.map(row => String(row['name']));

/** Reads a store beside the service that has it. */
export async function openStoredRows({ kind, folder, location }: StorePlace): Promise<StoredRows> {
  if (kind === 'sqlite') {
    const database = new Database(path.join(folder, 'hostler.sqlite'), { readonly: true });
    const query: Query = async statement => database.prepare<[], Record<string, unknown>>(statement).all();
    const tables = namesIn(
      await query("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"),
    );
    return { read: () => readAll(query, tables), close: async () => void database.close() };
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  const query: Query = async statement => (await client.query(statement)).rows;
  const tables = namesIn(await query("select tablename as name from pg_tables where schemaname = 'public'"));
  return { read: () => readAll(query, tables), close: () => client.end() };
}
