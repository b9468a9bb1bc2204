import type { Kysely } from 'kysely';
import { Refusal } from '../domain/errors.ts';
import { Records } from './records.ts';
import type { Tables } from './tables.ts';
import type { EngineTraits } from './traits.ts';

class RolledBack extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('rolled back');
    this.refusal = refusal;
  }
}

/** Commits what `work` answers; a Refusal or an exception rolls everything back. */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  traits: EngineTraits,
  work: (records: Records) => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await db.transaction().execute(async transaction => {
      const answer = await work(new Records(transaction, traits));
      if (answer instanceof Refusal) throw new RolledBack(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal;
    throw error;
  }
}
