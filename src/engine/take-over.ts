import type { Records } from '../store/records.ts';

/** Releases the claims of dead servers, and has every open operation decided: a dead server may have known something that it did not write. */
export async function takeOver(records: Records, now: number): Promise<void> {
  // Operations before the agenda, as decisions lock them.
  await records.operations.setAllDue(now);
  await records.claims.releaseOfDead(now);
  await records.servers.forgetDead(now);
}
