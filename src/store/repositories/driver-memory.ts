import type { Kysely } from 'kysely';
import type { DriverMemory } from '../../domain/driver-memory.ts';
import type { Tables } from '../tables.ts';

export class DriverMemoryRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** What one record's driver remembers. */
  of(scope: string): DriverMemory {
    return {
      get: async key => {
        const row = await this.#db
          .selectFrom('driver_memory')
          .select('value')
          .where('scope', '=', scope)
          .where('key', '=', key)
          .executeTakeFirst();
        return row?.value;
      },
      set: async (key, value) => {
        await this.#db
          .insertInto('driver_memory')
          .values({ scope, key, value })
          .onConflict(conflict => conflict.columns(['scope', 'key']).doUpdateSet({ value }))
          .execute();
      },
      delete: async key => {
        await this.#db
          .deleteFrom('driver_memory')
          .where('scope', '=', scope)
          .where('key', '=', key)
          .execute();
      },
    };
  }

  async forget(scope: string): Promise<void> {
    await this.#db.deleteFrom('driver_memory').where('scope', '=', scope).execute();
  }
}
