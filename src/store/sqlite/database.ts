import Database from 'better-sqlite3';

/** How long opening waits for another process. */
const OPEN_TIMEOUT_MS = 5000;
/** Later waits are short, since nothing else is done meanwhile: `dialect.ts` tries again. */
const BUSY_TIMEOUT_MS = 5;

/** What a connection keeps in memory at most: the pages of a hundred thousand hosts. Each page that is not there costs a system call. */
const CACHE_KIB = 64 * 1024;

export function openDatabase(file: string, { readonly }: { readonly: boolean }): Database.Database {
  const database = new Database(file, { readonly, timeout: OPEN_TIMEOUT_MS });
  try {
    configure(database, readonly);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function configure(database: Database.Database, readonly: boolean): void {
  // A file that somebody else had in hand runs nothing of its own.
  database.pragma('trusted_schema = off');
  database.pragma(`cache_size = ${-CACHE_KIB}`);
  if (!readonly) {
    database.pragma('journal_mode = wal');
    // What was answered survives a power cut, and what was deleted cannot be read from the file.
    database.pragma('synchronous = full');
    database.pragma('secure_delete = on');
    database.pragma('foreign_keys = on');
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
