import type { ServiceKey } from '../../../domain/secret.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';

/** Each connection to a host that uses it asks for it. */
const identityRow = prepare(({ db }: SqlSession, _none: Record<string, never>) =>
  db.selectFrom('service_identity').select(['public_key', 'private_key']),
);

/** The service's own SSH key: one row, made once. */
export class IdentityRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(): Promise<ServiceKey | undefined> {
    const [row] = await identityRow(this.#session, {});
    return row && { publicKey: row.public_key, privateKey: row.private_key };
  }

  /** Keeps this one unless there is one already: another server was faster. */
  async addFirst({ publicKey, privateKey }: ServiceKey): Promise<void> {
    await this.#session.db
      .insertInto('service_identity')
      .values({ id: 1, public_key: publicKey, private_key: privateKey })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
