import Database from 'better-sqlite3';

/** What is wrong with a store, as SQLite says; `undefined`: nothing. The indexes are not compared with their tables, which would take long. */
export function quickCheck(file: string): string | undefined {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const findings = database.prepare('pragma quick_check(3)').pluck().all();
    return findings.length === 1 && findings[0] === 'ok' ? undefined : findings.join('; ');
  } finally {
    database.close();
  }
}
