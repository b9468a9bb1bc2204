import type { TransactionDataKeys, WrappedKey } from '../../domain/secret.ts';
import { Repository } from '../sql-session.ts';
import { forUpdate, insertIfAbsent } from './query-building.ts';

/** The keys that encrypt secrets. They are wrapped with a key that is not in the store. */
export class DataKeyRepository extends Repository implements TransactionDataKeys {
  /** Oldest first. */
  async listAll(): Promise<readonly WrappedKey[]> {
    return this.db.selectFrom('data_keys').select(['id', 'wrapped']).orderBy('position').execute();
  }

  /** The key stays the newest until the transaction ends. */
  async lockNewest(): Promise<string> {
    const { db, engine } = this.session;
    const newest = db.selectFrom('data_keys').select('id').orderBy('position', 'desc').limit(1);
    for (;;) {
      const locked = engine.hasRowLocks ? await newest.forShare().executeTakeFirst() : undefined;
      const { id } = await newest.executeTakeFirstOrThrow();
      // A newer key can be added while this transaction waits for the lock.
      if (!engine.hasRowLocks || locked?.id === id) return id;
    }
  }

  /** Locks all keys, so that no other transaction encrypts secrets meanwhile. Oldest first. */
  async lockAll(): Promise<readonly WrappedKey[]> {
    const { db, engine } = this.session;
    const all = db.selectFrom('data_keys').select(['id', 'wrapped']).orderBy('position');
    for (;;) {
      const locked = await forUpdate(engine, all).execute();
      const found = await all.execute();
      // The locked rows do not include a key that was added while this transaction waited.
      if (locked.length === found.length && found.every(({ id }, index) => id === locked[index]?.id)) return found;
    }
  }

  /** Another server can have added a key first. */
  async insertIfAbsent(key: WrappedKey): Promise<void> {
    await insertIfAbsent(this.db.insertInto('data_keys').values({ position: 1, ...key }));
  }

  /** All keys must be locked. */
  async add(key: WrappedKey): Promise<void> {
    const { db } = this;
    const { newest } = await db
      .selectFrom('data_keys')
      .select(({ fn }) => fn.max('position').as('newest'))
      .executeTakeFirstOrThrow();
    await db
      .insertInto('data_keys')
      .values({ position: newest + 1, ...key })
      .execute();
  }

  async update({ id, wrapped }: WrappedKey): Promise<void> {
    await this.db.updateTable('data_keys').set({ wrapped }).where('id', '=', id).execute();
  }

  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('data_keys').where('id', '=', id).execute();
  }
}
