import type { ServiceKey } from '../../domain/secret.ts';
import type { SqlSession } from '../sql-session.ts';
import { prepareQuery, Repository } from '../sql-session.ts';
import { insertIfAbsent } from './query-building.ts';

/** Runs for every connection that uses the service key. */
const findServiceKey = prepareQuery(({ db }: SqlSession) =>
  db.selectFrom('service_identity').select(['public_key as publicKey', 'private_key as privateKey']),
);

export class ServiceKeyRepository extends Repository {
  async get(): Promise<ServiceKey | undefined> {
    const [key] = await findServiceKey(this.session, {});
    return key;
  }

  /** Another server can have added a key first. */
  async insertIfAbsent({ publicKey, privateKey }: ServiceKey): Promise<void> {
    const row = { id: 1, public_key: publicKey, private_key: privateKey };
    await insertIfAbsent(this.db.insertInto('service_identity').values(row));
  }
}

const findFlag = prepareQuery(({ db }: SqlSession, { name }: { name: 'operations_paused' }) =>
  db.selectFrom('service_flags').select('is_on').where('name', '=', name),
);

/** Switches for the complete service, set by administrators. */
export class ServiceFlagRepository extends Repository {
  async isGloballyPaused(): Promise<boolean> {
    const [row] = await findFlag(this.session, { name: 'operations_paused' });
    return row?.is_on === 1;
  }

  async setGloballyPaused(isGloballyPaused: boolean): Promise<void> {
    const is_on = isGloballyPaused ? 1 : 0;
    await this.db
      .insertInto('service_flags')
      .values({ name: 'operations_paused', is_on })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ is_on }))
      .execute();
  }
}
