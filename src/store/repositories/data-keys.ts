import type { Kysely } from 'kysely';
import type { WrappedKey } from '../../domain/secret.ts';
import type { Tables } from '../tables.ts';

/** The keys that secrets are encrypted with, themselves encrypted with a key that is not in the store. */
export class DataKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async all(): Promise<readonly WrappedKey[]> {
    return this.#db.selectFrom('data_keys').select(['id', 'wrapped']).orderBy('position').execute();
  }

  /** Keeps this key unless there is one already: another server was faster. */
  async addFirst(key: WrappedKey): Promise<void> {
    await this.#db
      .insertInto('data_keys')
      .values({ position: 1, ...key })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
