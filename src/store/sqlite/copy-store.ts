import Database from 'better-sqlite3';

/** So many pages are copied at once; in between others are served, and progress is told. */
const PAGES_AT_A_TIME = 500;

/**
 * Copies a store, as it is at this moment, into a file, also while a service writes to it. `told` hears of each part that is done, from 0
 * to 1.
 *
 * The backup of SQLite is copied inside a transaction that reads: by itself it begins anew whenever another process writes, and beside a
 * busy service would never end. In the write-ahead log a reader holds up nobody; the log only grows until the copy is done. `VACUUM INTO`
 * would do too, but tells nothing meanwhile and hears no signal.
 */
export async function copyStore(from: string, to: string, told: (part: number) => void): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    source.exec('begin');
    // A transaction that only reads begins with the first read.
    source.prepare('select count(*) from sqlite_schema').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        told((totalPages - remainingPages) / totalPages);
        return PAGES_AT_A_TIME;
      },
    });
  } finally {
    source.close();
  }
}
