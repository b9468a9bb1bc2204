import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Has all of a store in its one file, as after a stop in order, if it can be read at all. Nobody else has it open. */
export function foldLog(file: string): void {
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
