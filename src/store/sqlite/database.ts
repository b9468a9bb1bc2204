import Database from 'better-sqlite3';

/** How long one process waits for another's transaction: a command on the machine beside the running service. */
const BUSY_TIMEOUT_MS = 5000;

/** What a connection keeps in memory at most: the pages of a hundred thousand hosts. Each page that is not there costs a system call. */
const CACHE_KIB = 64 * 1024;

export function openDatabase(file: string, { readonly }: { readonly: boolean }): Database.Database {
  const database = new Database(file, { readonly, timeout: BUSY_TIMEOUT_MS });
  database.pragma(`cache_size = ${-CACHE_KIB}`);
  if (!readonly) {
    database.pragma('journal_mode = wal');
    // What was answered survives a power cut, and what was deleted cannot be read from the file.
    database.pragma('synchronous = full');
    database.pragma('secure_delete = on');
    database.pragma('foreign_keys = on');
  }
  return database;
}
