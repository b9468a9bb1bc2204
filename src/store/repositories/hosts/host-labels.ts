import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { LabelFilter, Labels } from '../../../domain/hosts/host.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';

const findLabels = prepareQuery(({ db }: SqlSession, { host }: { host: Address }) =>
  db.selectFrom('host_labels').select(['key', 'value']).where('host', '=', host).orderBy('key'),
);

interface TextPage {
  readonly after: string | undefined;
  readonly limit: number;
}

/** The host must be locked to change its labels. Labels are removed with their host. */
export class HostLabelRepository extends Repository {
  /** Ordered by code point of the key. */
  async get(host: Address): Promise<Labels> {
    const rows = await findLabels(this.session, { host });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  async listMembersWithLabel(cluster: RecordName, { key, value }: LabelFilter): Promise<readonly Address[]> {
    let query = this.db
      .selectFrom('host_labels')
      .innerJoin('hosts', 'hosts.address', 'host_labels.host')
      .select('address')
      .where('cluster', '=', cluster)
      .where('key', '=', key);
    if (value !== undefined) query = query.where('value', '=', value);
    return (await query.execute()).map(row => row.address);
  }

  /** All distinct keys after `after`, ordered by code point. */
  listKeys(page: TextPage): Promise<readonly string[]> {
    return this.#listDistinct(sql`key`, sql`true`, page);
  }

  listValues(key: string, page: TextPage): Promise<readonly string[]> {
    return this.#listDistinct(sql`value`, sql`key = ${key}`, page);
  }

  /** Each step finds the next text in the index, so the time does not depend on the number of hosts. */
  async #listDistinct(column: RawBuilder<unknown>, condition: RawBuilder<unknown>, { after, limit }: TextPage) {
    // A value can be empty, so the first page has no lower bound.
    const isAfter = after === undefined ? sql`true` : sql`${column} > ${after}`;
    const { rows } = await sql<{ item: string }>`
      with recursive found (item, number) as (
        select min(${column}), 1 from host_labels where ${condition} and ${isAfter}
        union all
        select (select min(${column}) from host_labels where ${condition} and ${column} > found.item), number + 1
        from found where item is not null and number < cast(${limit} as integer)
      )
      select item from found where item is not null order by number`.execute(this.db);
    return rows.map(row => row.item);
  }

  async replace(host: Address, labels: Labels): Promise<void> {
    const { db } = this;
    await db.deleteFrom('host_labels').where('host', '=', host).execute();
    const rows = Object.entries(labels).map(([key, value]) => ({ host, key, value }));
    if (rows.length > 0) await db.insertInto('host_labels').values(rows).execute();
  }
}
