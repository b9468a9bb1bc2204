import type { Address } from '../../domain/address.ts';
import type { LabelFilter, Labels } from '../../domain/labels.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';

const labelsOf = prepare(({ db }: Session, { host }: { host: Address }) =>
  db.selectFrom('host_labels').select(['key', 'value']).where('host', '=', host).orderBy('key'),
);

/** What people say of each host. Whoever changes it has locked the host; it goes with its host. */
export class HostLabelRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** By code point of the key. */
  async of(host: Address): Promise<Labels> {
    const rows = await labelsOf(this.#session, { host });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** Members of a cluster that carry a label. */
  async carriers(cluster: RecordName, { key, value }: LabelFilter): Promise<readonly Address[]> {
    let query = this.#session.db
      .selectFrom('host_labels')
      .innerJoin('hosts', 'hosts.address', 'host_labels.host')
      .select('address')
      .where('cluster', '=', cluster)
      .where('key', '=', key);
    if (value !== undefined) query = query.where('value', '=', value);
    return (await query.execute()).map(row => row.address);
  }

  async replace(host: Address, labels: Labels): Promise<void> {
    const { db } = this.#session;
    await db.deleteFrom('host_labels').where('host', '=', host).execute();
    const rows = Object.entries(labels).map(([key, value]) => ({ host, key, value }));
    if (rows.length > 0) await db.insertInto('host_labels').values(rows).execute();
  }
}
