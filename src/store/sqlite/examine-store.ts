import Database from 'better-sqlite3';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { harmless } from '../../lib/text/harmless.ts';

/** What a file holds. */
export interface StoreContents {
  readonly hosts: number;
  readonly clusters: number;
}

/** Since the first version. */
const OURS = ['kysely_migration', 'accounts', 'clusters', 'data_keys', 'hosts', 'outbox'];

/** All that a trigger of ours does is to refuse. */
const REFUSES = /\bbegin select raise\(abort, '[^']*'\); end$/i;

/** Triggers, views and virtual tables that Hostler does not create. They run when the store is used, and could hide what an account does. */
export function foreignParts(database: Database.Database): readonly string[] {
  const parts = database
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "select type, name, sql from sqlite_schema where type in ('trigger', 'view') or sql like 'create virtual%'",
    )
    .all();
  return parts
    .filter(({ type, sql }) => type !== 'trigger' || !REFUSES.test(sql?.replaceAll(/\s+/g, ' ') ?? ''))
    .map(({ name }) => harmless(name));
}

const countOf = (database: Database.Database, table: 'hosts' | 'clusters'): number =>
  Number(database.prepare(`select count(*) from ${table}`).pluck().get());

function contentsOf(database: Database.Database, file: string): StoreContents {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  if (!OURS.every(table => tables.includes(table)))
    throw new PlainError(`${file} is not a store of Hostler: it lacks tables that every store has`);
  const foreign = foreignParts(database);
  if (foreign.length > 0)
    throw new PlainError(
      `${file} has parts that Hostler never makes (${foreign.slice(0, 5).join(', ')}); do not use it, and find out who had it in hand`,
    );
  const findings = database.prepare('pragma integrity_check(3)').pluck().all();
  if (findings.length !== 1 || findings[0] !== 'ok')
    throw new PlainError(`${file} is damaged, as SQLite says: ${harmless(findings.join('; '))}`);
  return { hosts: countOf(database, 'hosts'), clusters: countOf(database, 'clusters') };
}

/**
 * Reads a whole store, which nobody else has open, and throws unless it is one and is sound. Afterwards it is all in one file, without a
 * log beside it.
 */
export function examineStore(file: string, name = file): StoreContents {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('trusted_schema = off');
    const contents = contentsOf(database, name);
    database.pragma('journal_mode = delete');
    return contents;
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT|ERROR$)/.test(error.code))
      throw new PlainError(`${name} is not a store of Hostler, or is damaged: ${harmless(error.message)}`);
    throw error;
  } finally {
    database.close();
  }
}
