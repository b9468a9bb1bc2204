import type { Updateable } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey, sortWithKeys } from '../../../domain/addresses/address.ts';
import type { HostCheck } from '../../../domain/health-check.ts';
import { encodeCheck } from '../../../domain/health-check.ts';
import type { ExtendedHostEntry, Host, HostEntryJson } from '../../../domain/hosts/host.ts';
import type { InventoryHost } from '../../../domain/hosts/inventory.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import {
  forUpdate,
  insertIfAbsent,
  insertOrLock,
  prepareLookup,
  queryInChunks,
  toChunks,
  toPage,
} from '../query-building.ts';
import { appendCheckSql } from './health-checks.ts';
import type { HostFilter } from './host-queries.ts';
import {
  getAddressAfter,
  listEntries,
  listExtendedEntries,
  listInventoryRows,
  listMemberRows,
  toExtendedEntry,
} from './host-queries.ts';
import { HOST_COLUMNS, toHost, toHostRow } from './host-rows.ts';

type AddressKey = { readonly address: Address };

const hostByAddress = prepareLookup(({ db }: SqlSession, { address }: AddressKey) =>
  db.selectFrom('hosts').select(HOST_COLUMNS).where('address', '=', address),
);

const findEntry = prepareQuery(({ db }: SqlSession, { address }: AddressKey) =>
  db.selectFrom('hosts').select(['entry_json as entryJson', 'source']).where('address', '=', address),
);

const updateHost = prepareQuery(({ db }: SqlSession, row: ReturnType<typeof toHostRow>) =>
  db.updateTable('hosts').set(row).where('address', '=', row.address),
);

const updateHostAfterCheck = prepareQuery(
  ({ db }: SqlSession, { entry, ...row }: ReturnType<typeof toHostRow> & { entry: string }) =>
    db
      .updateTable('hosts')
      .set({ ...row, check_history: appendCheckSql(entry) })
      .where('address', '=', row.address),
);

export class HostRepository extends Repository {
  async get(address: Address): Promise<Host | undefined> {
    const row = await hostByAddress.find(this.session, { address });
    return row && toHost(row);
  }

  async getEntry(address: Address): Promise<{ entryJson: HostEntryJson; source: string } | undefined> {
    const [entry] = await findEntry(this.session, { address });
    return entry;
  }

  async getHostnames(addresses: readonly Address[]): Promise<ReadonlyMap<Address, string>> {
    const rows = await queryInChunks(addresses, chunk =>
      this.db.selectFrom('hosts').select(['address', 'hostname']).where('address', 'in', chunk).execute(),
    );
    return new Map(rows.map(({ address, hostname }) => [address, hostname]));
  }

  /** Ordered by the numeric value of the address. */
  async list(filter: HostFilter, page: PageRequest<Address>): Promise<Page<HostEntryJson>> {
    return toPage(await listEntries(this.session, filter, page), page, row => row.entry_json);
  }

  async listExtended(filter: HostFilter, page: PageRequest<Address>): Promise<Page<ExtendedHostEntry>> {
    return toPage(await listExtendedEntries(this.session, filter, page), page, toExtendedEntry);
  }

  async listInventory(filter: HostFilter, page: PageRequest<Address>): Promise<Page<InventoryHost>> {
    const rows = await listInventoryRows(this.session, filter, page);
    return toPage(rows, page, row => ({ ...row, labels: JSON.parse(row.labels) }));
  }

  /** The address `count` hosts after this one, or after the start of the list. */
  getAddressAfter(after: Address | undefined, count: number): Promise<Address | undefined> {
    return getAddressAfter(this.session, after, count);
  }

  async listMemberAddresses(cluster: RecordName, page: PageRequest<Address> = {}): Promise<Page<Address>> {
    return toPage(await listMemberRows(this.session, cluster, page), page, row => row.address);
  }

  /** Ordered by the numeric value of the address. */
  async listMembers(cluster: RecordName): Promise<readonly Pick<Host, 'address' | 'enrolment'>[]> {
    return this.db
      .selectFrom('hosts')
      .select(['address', 'enrolment'])
      .where('cluster', '=', cluster)
      .orderBy('sort_key')
      .execute();
  }

  /** Statuses without hosts are missing. */
  async countByStatus(): Promise<ReadonlyMap<HostStatus, number>> {
    const rows = await this.db
      .selectFrom('hosts')
      .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute();
    return new Map(rows.map(row => [row.status, Number(row.count)]));
  }

  async filterAvailable(addresses: readonly Address[]): Promise<readonly Address[]> {
    const rows = await queryInChunks(addresses, chunk =>
      this.db
        .selectFrom('hosts')
        .select('address')
        .where('address', 'in', chunk)
        .where('status', '=', 'active')
        .where('in_maintenance', '=', 0)
        .execute(),
    );
    return rows.map(row => row.address);
  }

  async lock(address: Address): Promise<Host | undefined> {
    this.session.lockOrder.assertNext('host', addressSortKey(address));
    const row = await hostByAddress.lock(this.session, { address });
    return row && toHost(row);
  }

  /** Returns the existing hosts, ordered by the numeric value of the address. */
  async lockAll(addresses: readonly Address[]): Promise<readonly Host[]> {
    const sorted = sortWithKeys(addresses);
    for (const { key } of sorted) this.session.lockOrder.assertNext('host', key);
    const rows = await queryInChunks(sorted, chunk => {
      const sortedAddresses = chunk.map(({ address }) => address);
      const hosts = this.db.selectFrom('hosts').select(HOST_COLUMNS).where('address', 'in', sortedAddresses);
      return forUpdate(this.session.engine, hosts.orderBy('sort_key')).execute();
    });
    return rows.map(toHost);
  }

  insertOrLock(host: Host): Promise<Host | undefined> {
    return insertOrLock(
      () => this.lock(host.address),
      () => insertIfAbsent(this.db.insertInto('hosts').values(toHostRow(host))),
    );
  }

  async update(host: Host): Promise<void> {
    await updateHost(this.session, toHostRow(host));
  }

  async updateAfterCheck(host: Host, check: HostCheck): Promise<void> {
    await updateHostAfterCheck(this.session, { ...toHostRow(host), entry: encodeCheck(check) });
  }

  setCluster(addresses: readonly Address[], cluster: RecordName | null): Promise<void> {
    return this.#updateAll(addresses, { cluster });
  }

  /** The container manager that has the hosts as nodes. */
  setRegisteredWith(addresses: readonly Address[], registeredWith: RecordName | null): Promise<void> {
    return this.#updateAll(addresses, { registered_with: registeredWith });
  }

  /** `since` is a timestamp in the format of the API; `''`: unknown. */
  setStatus(addresses: readonly Address[], status: HostStatus, reason = '', since = ''): Promise<void> {
    return this.#updateAll(addresses, { status, reason, status_since: since });
  }

  async #updateAll(addresses: readonly Address[], changes: Updateable<Tables['hosts']>): Promise<void> {
    for (const chunk of toChunks(addresses))
      await this.db.updateTable('hosts').set(changes).where('address', 'in', chunk).execute();
  }

  async setStatusSince(address: Address, since: string): Promise<void> {
    await this.db.updateTable('hosts').set({ status_since: since }).where('address', '=', address).execute();
  }

  async setMaintenance(address: Address, reason: string | null, since: string): Promise<void> {
    await this.db
      .updateTable('hosts')
      .set({
        in_maintenance: reason === null ? 0 : 1,
        maintenance_reason: reason ?? '',
        maintenance_since: reason === null ? '' : since,
      })
      .where('address', '=', address)
      .execute();
  }

  async remove(address: Address): Promise<void> {
    await this.db.deleteFrom('host_access').where('host', '=', address).execute();
    await this.db.deleteFrom('host_labels').where('host', '=', address).execute();
    await this.db.deleteFrom('hosts').where('address', '=', address).execute();
  }
}
