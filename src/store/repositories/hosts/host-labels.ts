import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { LabelFilter, Labels } from '../../../domain/hosts/host.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';

const findLabels = prepareQuery(({ db }: SqlSession, { host }: { host: Address }) =>
  db.selectFrom('host_labels').select(['key', 'value']).where('host', '=', host).orderBy('key'),
);

interface TextPage {
  readonly after: string | undefined;
  readonly limit: number;
}

/** What people say of each host. Whoever changes it has locked the host; it goes with its host. */
export class HostLabelRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** By code point of the key. */
  async get(host: Address): Promise<Labels> {
    const rows = await findLabels(this.#session, { host });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** Members of a cluster that carry a label. */
  async listMembersWithLabel(cluster: RecordName, { key, value }: LabelFilter): Promise<readonly Address[]> {
    let query = this.#session.db
      .selectFrom('host_labels')
      .innerJoin('hosts', 'hosts.address', 'host_labels.host')
      .select('address')
      .where('cluster', '=', cluster)
      .where('key', '=', key);
    if (value !== undefined) query = query.where('value', '=', value);
    return (await query.execute()).map(row => row.address);
  }

  /**
   * Every key that any host has, after this one, by code point. Each is looked for in the index behind the one before: hosts with the
   * same are not gone through, however many they are.
   */
  async listKeys({ after, limit }: TextPage): Promise<readonly string[]> {
    const { rows } = await sql<{ word: string }>`
      with recursive found (word, number) as (
        select min(key), 1 from host_labels where key > ${after ?? ''}
        union all
        select (select min(key) from host_labels where key > found.word), number + 1 from found
        where word is not null and number < cast(${limit} as integer)
      )
      select word from found where word is not null order by number`.execute(this.#session.db);
    return rows.map(row => row.word);
  }

  /** Every value that a key has on any host, in the same way. */
  async listValues(key: string, { after, limit }: TextPage): Promise<readonly string[]> {
    // A value may be empty, so the first is not behind another.
    const first = after === undefined ? sql`true` : sql`value > ${after}`;
    const { rows } = await sql<{ word: string }>`
      with recursive found (word, number) as (
        select min(value), 1 from host_labels where key = ${key} and ${first}
        union all
        select (select min(value) from host_labels where key = ${key} and value > found.word), number + 1 from found
        where word is not null and number < cast(${limit} as integer)
      )
      select word from found where word is not null order by number`.execute(this.#session.db);
    return rows.map(row => row.word);
  }

  async replace(host: Address, labels: Labels): Promise<void> {
    const { db } = this.#session;
    await db.deleteFrom('host_labels').where('host', '=', host).execute();
    const rows = Object.entries(labels).map(([key, value]) => ({ host, key, value }));
    if (rows.length > 0) await db.insertInto('host_labels').values(rows).execute();
  }
}
