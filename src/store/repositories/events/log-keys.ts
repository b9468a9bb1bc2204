import type { Sealed } from '../../../domain/secret.ts';
import type { SqlSession } from '../../sql-session.ts';

/** What the chain of the log is keyed with: one row, made once. */
export class LogKeyRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(): Promise<Sealed | undefined> {
    const row = await this.#session.db.selectFrom('log_keys').select('sealed_key').executeTakeFirst();
    return row?.sealed_key;
  }

  /** Keeps this one unless there is one already: another server was faster. */
  async addFirst(key: Sealed): Promise<void> {
    await this.#session.db
      .insertInto('log_keys')
      .values({ id: 1, sealed_key: key })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
