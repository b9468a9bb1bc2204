import path from 'node:path';
import Database from 'better-sqlite3';
import { PlainError } from '../../lib/errors/plain-error.ts';

export class FolderInUse extends PlainError {
  constructor(folder: string) {
    super(
      `the data directory ${folder} is in use by another Hostler process; stop that process, or use another directory (setting data)`,
    );
  }
}

/** What is locked of a folder. */
export const lockFileIn = (folder: string): string => path.join(folder, 'lock.sqlite');

/**
 * Locks a data directory for this process with a SQLite lock on a file beside the store. The kernel releases the lock when the process
 * ends, even after a crash. Returns the function that unlocks the directory.
 */
export function lockFolder(folder: string): () => void {
  const lock = new Database(lockFileIn(folder), { timeout: 0 });
  try {
    lock.pragma('journal_mode = delete');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new FolderInUse(folder);
    throw error;
  }
  return () => {
    lock.close();
  };
}
