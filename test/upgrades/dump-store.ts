import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Database from 'better-sqlite3';
import { findBinaries } from '../harness/stores/postgres.ts';

interface Made {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const quoted = (name: string) => `"${name}"`;

/** The rows of a table as statements, but for columns that SQLite fills itself. */
function rowsOf(database: Database.Database, table: string): string[] {
  const columns = database
    .prepare<[string], { name: string; hidden: number }>('select name, hidden from pragma_table_xinfo(?)')
    .all(table)
    .filter(({ hidden }) => hidden === 0)
    .map(({ name }) => quoted(name));
  const values = columns.map(name => `quote(${name})`).join(` || ',' || `);
  return database
    .prepare(`select ${values} from ${quoted(table)} order by 1`)
    .pluck()
    .all()
    .map(row => `insert into ${quoted(table)} (${columns.join(',')}) values (${row});`);
}

/** Statements that make a store again; what watches over rows comes after these. */
export function dumpSqlite(file: string): string {
  const database = new Database(file, { readonly: true });
  try {
    const made = database
      .prepare<[], Made>('select type, name, sql from sqlite_schema where sql is not null order by rowid')
      .all()
      .filter(({ name }) => !name.startsWith('sqlite_'));
    const tables = made.filter(({ type }) => type === 'table');
    const others = made.filter(({ type }) => type !== 'table');
    return [
      'pragma foreign_keys = off;',
      'begin;',
      ...tables.map(({ sql }) => `${sql};`),
      ...tables.flatMap(({ name }) => rowsOf(database, name)),
      ...others.map(({ sql }) => `${sql};`),
      'commit;',
      '',
    ].join('\n');
  } finally {
    database.close();
  }
}

/** In front of what is made are settings that an older server may not know; words for psql alone are there, and at the end. */
const withoutSettings = (dump: string) =>
  dump.slice(dump.search(/^CREATE /m)).replace(/^\\unrestrict .*$/m, '');

/** The same of a PostgreSQL, by its own program. */
export function dumpPostgres(url: string): string {
  const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', '--dbname', url];
  const { status, stdout, stderr } = spawnSync(path.join(findBinaries() ?? '', 'pg_dump'), options, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`pg_dump ended with ${status}:\n${stderr}`);
  return withoutSettings(stdout);
}
