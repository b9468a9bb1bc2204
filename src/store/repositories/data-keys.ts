import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
}

/** The keys that secrets are encrypted with, themselves encrypted with a key that is not in the store. */
export class DataKeyRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async newest(): Promise<WrappedKey | undefined> {
    return this.#db
      .selectFrom('data_keys')
      .select(['id', 'wrapped'])
      .orderBy('position', 'desc')
      .executeTakeFirst();
  }

  /** Keeps this key unless another server was faster; answers the one that is kept. */
  async addFirst(key: WrappedKey): Promise<WrappedKey> {
    await this.#db
      .insertInto('data_keys')
      .values({ position: 1, ...key })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    return (await this.newest()) ?? key;
  }
}
