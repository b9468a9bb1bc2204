import type { SqlSession } from '../../sql-session.ts';

/** PostgreSQL limits the time of a statement; the rest is removed the next time. */
const REMOVED_AT_ONCE = 1000;

/** Networks with sign-ins by password. */
export class SignInNetworkRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** The time of the last sign-in from a network; `undefined`: never, or too long ago to be stored. */
  async lastAt(network: string): Promise<number | undefined> {
    const row = await this.#session.db
      .selectFrom('sign_in_networks')
      .select('last_at')
      .where('network', '=', network)
      .executeTakeFirst();
    return row?.last_at;
  }

  async put(network: string, atMs: number): Promise<void> {
    await this.#session.db
      .insertInto('sign_in_networks')
      .values({ network, last_at: atMs })
      .onConflict(conflict => conflict.column('network').doUpdateSet({ last_at: atMs }))
      .execute();
  }

  async removeBefore(atMs: number): Promise<void> {
    const { db, engine } = this.#session;
    const old = db
      .selectFrom('sign_in_networks')
      .select('network')
      .where('last_at', '<', atMs)
      .limit(REMOVED_AT_ONCE);
    await db
      .deleteFrom('sign_in_networks')
      .where('network', 'in', engine.hasRowLocks ? old.forUpdate().skipLocked() : old)
      .execute();
  }
}
