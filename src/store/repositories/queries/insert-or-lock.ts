/**
 * Makes a record, or finds it there and locks it: answers the one that is there, `undefined` when the new one was made.
 * Another transaction may make or remove it at the same moment, so it looks until one of the two holds.
 */
export async function insertOrLock<T>(
  lock: () => Promise<T | undefined>,
  insert: () => Promise<boolean>,
): Promise<T | undefined> {
  for (;;) {
    const found = await lock();
    if (found !== undefined) return found;
    if (await insert()) return undefined;
  }
}
