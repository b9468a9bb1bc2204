import type { WrappedKey } from '../../domain/secret.ts';
import type { Session } from '../session.ts';

/** The keys that secrets are encrypted with, themselves encrypted with a key that is not in the store. */
export class DataKeyRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Oldest first. */
  async all(): Promise<readonly WrappedKey[]> {
    return this.#session.db.selectFrom('data_keys').select(['id', 'wrapped']).orderBy('position').execute();
  }

  /** Keeps this key unless there is one already: another server was faster. */
  async addFirst(key: WrappedKey): Promise<void> {
    await this.#session.db
      .insertInto('data_keys')
      .values({ position: 1, ...key })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
