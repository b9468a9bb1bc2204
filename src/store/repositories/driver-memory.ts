import type { SqlSession } from '../sql-session.ts';

/** What drivers without a server of their own remember; a scope is one record's. */
export class DriverMemoryRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
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

  /** Writes if what is there is still `from`; `undefined`: nothing. Answers whether it was. */
  async compareAndSet(scope: string, key: string, from: string | undefined, value: string): Promise<boolean> {
    const { db } = this.#session;
    if (from === undefined) {
      const made = await db
        .insertInto('driver_memory')
        .values({ scope, key, value })
        .onConflict(conflict => conflict.doNothing())
        .returning('key')
        .execute();
      return made.length > 0;
    }
    const changed = await db
      .updateTable('driver_memory')
      .set({ value })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('value', '=', from)
      .returning('key')
      .execute();
    return changed.length > 0;
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
