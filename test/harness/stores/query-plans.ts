import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { vi } from 'vitest';
import type { StorePlace } from './stores.ts';

/** Every statement that SQLite is given from now on, until `vi.restoreAllMocks`. */
export function noteStatements(): Set<string> {
  const statements = new Set<string>();
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
    statements.add(sql);
    return prepare.call(this, sql);
  });
  return statements;
}

/** How SQLite goes about those of the statements that read from some tables. */
export function plansOf(
  { folder }: StorePlace,
  statements: Iterable<string>,
  tables: readonly string[],
): readonly string[] {
  const database = new Database(path.join(folder, 'hostler.sqlite'), { readonly: true });
  const asked = [...statements].filter(
    sql =>
      /^\s*(select|with) /.test(sql) &&
      tables.some(table => sql.includes(`from "${table}"`) || sql.includes(`from ${table} `)),
  );
  const found = asked.map(sql => {
    const values = Array.from(sql.matchAll(/\?/g), () => 'x');
    const steps = database.prepare<string[], { detail: string }>(`explain query plan ${sql}`);
    return steps.all(...values).map(step => step.detail);
  });
  database.close();
  return found.flat();
}

/** How often PostgreSQL has read all of some tables. A server process tells that when it ends, at the latest. */
export async function scansOf({ location }: StorePlace, tables: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  const { rows } = await client.query(
    'select sum(seq_scan) as seq_scan from pg_stat_user_tables where relname = any($1)',
    [tables],
  );
  await client.end();
  return Number(rows[0]?.seq_scan);
}
