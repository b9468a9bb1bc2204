import Database from 'better-sqlite3';

/** The damage that SQLite finds; `undefined`: none. Indexes are not compared with their tables, which would take long. */
export function damageIn(database: Database.Database): string | undefined {
  const findings = database.prepare('pragma quick_check(3)').pluck().all();
  return findings.length === 1 && findings[0] === 'ok' ? undefined : findings.join('; ');
}

/** The damage in a file that the service may have open. */
export function quickCheck(file: string): string | undefined {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return damageIn(database);
  } finally {
    database.close();
  }
}
