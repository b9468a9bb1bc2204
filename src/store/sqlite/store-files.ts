import { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { OperatorError } from '../../lib/errors.ts';

/** So many pages are copied at once; in between others are served, and progress is told. */
const PAGES_PER_STEP = 500;

/**
 * Copies a store, as it is at this moment, into a file, also while a service writes to it. `told` hears of each part that is done, from 0
 * to 1.
 *
 * The backup of SQLite is copied inside a transaction that reads: by itself it begins anew whenever another process writes, and beside a
 * busy service would never end. In the write-ahead log a reader holds up nobody; the log only grows until the copy is done. `VACUUM INTO`
 * would do too, but tells nothing meanwhile and hears no signal.
 */
export async function backupDatabase(
  from: string,
  to: string,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    source.exec('begin');
    // A transaction that only reads begins with the first read.
    source.prepare('select count(*) from sqlite_schema').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress((totalPages - remainingPages) / totalPages);
        return PAGES_PER_STEP;
      },
    });
  } finally {
    source.close();
  }
}

/** Has all of a store in its one file, as after a stop in order, if it can be read at all. Nobody else has it open. */
export function checkpointWal(file: string): void {
  if (!existsSync(file)) return;
  try {
    const database = new Database(file, { fileMustExist: true });
    // The last to close writes the log back.
    database.prepare('select count(*) from sqlite_schema').get();
    database.close();
  } catch (error) {
    // It is corrupt, which may be why it is replaced.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

export class DataDirectoryLockedError extends OperatorError {
  constructor(directory: string) {
    super(
      `the data directory ${directory} is in use by another Hostler process; stop that process, or use another directory (setting data)`,
    );
  }
}

/** What is locked of a folder. */
export const lockFilePath = (directory: string): string => path.join(directory, 'lock.sqlite');

/**
 * Locks a data directory for this process with a SQLite lock on a file beside the store. The kernel releases the lock when the process
 * ends, even after a crash. Returns the function that unlocks the directory.
 */
export function lockDataDirectory(directory: string): () => void {
  const lock = new Database(lockFilePath(directory), { timeout: 0 });
  try {
    lock.pragma('journal_mode = delete');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new DataDirectoryLockedError(directory);
    throw error;
  }
  return () => {
    lock.close();
  };
}
