import { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { OperatorError } from '../../lib/errors.ts';

/** Pages per step. Between steps the event loop runs and progress is reported. */
const PAGES_PER_STEP = 500;

/**
 * Copies the current state of a store into a file, even while a service writes to it. `onProgress` gets a
 * fraction from 0 to 1.
 *
 * The SQLite backup runs inside a read transaction: otherwise it restarts whenever another process writes,
 * and never ends next to a busy service. In WAL mode a reader blocks no one; the log only grows until the
 * copy is done. `VACUUM INTO` would report no progress and could not be aborted.
 */
export async function backupDatabase(from: string, to: string, onProgress: (fraction: number) => void): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    source.exec('begin');
    // A read transaction starts with the first read.
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

/** Writes the write-ahead log back, if the file is readable. No other process may have it open. */
export function checkpointWal(file: string): void {
  if (!existsSync(file)) return;
  try {
    const database = new Database(file, { fileMustExist: true });
    // The last connection that is closed writes the log back.
    database.prepare('select count(*) from sqlite_schema').get();
    database.close();
  } catch (error) {
    // The store is corrupt, which can be the reason why it is replaced.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

class DataDirectoryLockedError extends OperatorError {
  constructor(directory: string) {
    super(
      `the data directory ${directory} is in use by another Hostler process; stop that process, or use another directory (setting data)`,
    );
  }
}

/**
 * Opens a database without stack traces. To find its binary, better-sqlite3 creates a process report with a stack
 * trace, and the source maps of the server bundle take 150 ms to parse.
 */
function openWithoutStackTraces(file: string, options: Database.Options): Database.Database {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new Database(file, options);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const lockFilePath = (directory: string): string => path.join(directory, 'lock.sqlite');

/**
 * Locks a data directory for this process, with a SQLite lock on a file next to the store. The kernel
 * releases the lock when the process ends, even after a crash. Returns a function that unlocks the directory.
 */
export function lockDataDirectory(directory: string): () => void {
  const lock = openWithoutStackTraces(lockFilePath(directory), { timeout: 0 });
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
