import type { Session } from '../session.ts';

/** What drivers without a server of their own remember; a scope is one record's. */
export class DriverMemoryRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async get(scope: string, key: string): Promise<string | undefined> {
    const row = await this.#session.db
      .selectFrom('driver_memory')
      .select('value')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value;
  }

  async set(scope: string, key: string, value: string): Promise<void> {
    await this.#session.db
      .insertInto('driver_memory')
      .values({ scope, key, value })
      .onConflict(conflict => conflict.columns(['scope', 'key']).doUpdateSet({ value }))
      .execute();
  }

  async delete(scope: string, key: string): Promise<void> {
    await this.#session.db
      .deleteFrom('driver_memory')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute();
  }

  async forget(scope: string): Promise<void> {
    await this.#session.db.deleteFrom('driver_memory').where('scope', '=', scope).execute();
  }
}
