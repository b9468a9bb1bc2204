import Database from 'better-sqlite3';
import { OperatorError } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';

export interface StoreContents {
  readonly hosts: number;
  readonly clusters: number;
}

/** Tables of every version of the store. */
const REQUIRED_TABLES = ['kysely_migration', 'accounts', 'clusters', 'data_keys', 'hosts', 'outbox'];

/** The triggers of the migrations, which only reject changes. */
const OWN_TRIGGER =
  /^create trigger \w+ before (update|delete) on log (when old\.id >= \(select first_id from log_state\) )?begin select raise\(abort, '[^']*'\); end$/i;

/**
 * Returns an error if the store has triggers, views or virtual tables that Hostler does not create. They run
 * when the store is used: a trigger could remove entries before they reach the audit log.
 */
export function checkForeignObjects(database: Database.Database, file: string): string | undefined {
  const objects = database
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "select type, name, sql from sqlite_schema where type in ('trigger', 'view') or sql like 'create virtual%'",
    )
    .all();
  const names = objects
    .filter(({ type, sql }) => type !== 'trigger' || !OWN_TRIGGER.test(sql?.replaceAll(/\s+/g, ' ') ?? ''))
    .map(({ name }) => sanitizeLine(name));
  if (names.length === 0) return undefined;
  return `${file} has triggers, views or virtual tables that Hostler does not create (${names.slice(0, 5).join(', ')}); find out who changed it, then restore a backup from before that change`;
}

const countRows = (database: Database.Database, table: 'hosts' | 'clusters'): number =>
  Number(database.prepare(`select count(*) from ${table}`).pluck().get());

function readContents(database: Database.Database, file: string): StoreContents {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  if (!REQUIRED_TABLES.every(table => tables.includes(table)))
    throw new OperatorError(`${file} is not a Hostler store: required tables are missing`);
  const problem = checkForeignObjects(database, file);
  if (problem !== undefined) throw new OperatorError(problem);
  const findings = database.prepare('pragma integrity_check(3)').pluck().all();
  if (findings.length !== 1 || findings[0] !== 'ok')
    throw new OperatorError(`${file} is corrupt; SQLite reports: ${sanitizeLine(findings.join('; '))}`);
  return { hosts: countRows(database, 'hosts'), clusters: countRows(database, 'clusters') };
}

/** Throws if the store is invalid. Afterwards all data is in the file, without a write-ahead log. */
export function inspectStore(file: string, name = file): StoreContents {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('trusted_schema = off');
    const contents = readContents(database, name);
    database.pragma('journal_mode = delete');
    return contents;
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT|ERROR$)/.test(error.code))
      throw new OperatorError(`${name} is corrupt or not a Hostler store: ${sanitizeLine(error.message)}`);
    throw error;
  } finally {
    database.close();
  }
}

/** Does not compare indexes with their tables, which would take long. */
export function findDamage(database: Database.Database): string | undefined {
  const findings = database.prepare('pragma quick_check(3)').pluck().all();
  return findings.length === 1 && findings[0] === 'ok' ? undefined : findings.join('; ');
}

export function quickCheck(file: string): string | undefined {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return findDamage(database);
  } finally {
    database.close();
  }
}
