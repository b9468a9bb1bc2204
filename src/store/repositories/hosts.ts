import type { Kysely, Selectable } from 'kysely';
import type { Address } from '../../domain/address.ts';
import { addressSortKey, compareAddresses } from '../../domain/address.ts';
import type { Host } from '../../domain/host.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { HostOs, HostStatus } from '../../domain/vocabulary.ts';
import type { Tables } from '../tables.ts';
import type { Locking } from '../traits.ts';
import { chunksOf } from './chunks-of.ts';
import { insertOrLock } from './insert-or-lock.ts';
import { wasInserted } from './inserted.ts';
import { readPage } from './read-page.ts';

export interface HostFilter {
  readonly status?: HostStatus | undefined;
  readonly os?: HostOs | undefined;
  /** `null`: hosts that are in none. */
  readonly cluster?: RecordName | null | undefined;
  /** A part of the address. */
  readonly addressPart?: string | undefined;
}

const toHost = (row: Selectable<Tables['hosts']>): Host => ({
  address: row.address,
  enrolment: row.enrolment,
  status: row.status,
  reason: row.reason,
  os: row.os,
  cpus: row.cpus,
  memoryKib: row.memory_kib,
  spaceKib: row.space_kib,
  lastCheck: row.last_check,
  source: row.source,
  cluster: row.cluster,
});

const toRow = (host: Host): Selectable<Tables['hosts']> => ({
  address: host.address,
  sort_key: addressSortKey(host.address),
  enrolment: host.enrolment,
  status: host.status,
  reason: host.reason,
  os: host.os,
  cpus: host.cpus,
  memory_kib: host.memoryKib,
  space_kib: host.spaceKib,
  last_check: host.lastCheck,
  source: host.source,
  cluster: host.cluster,
});

const likePattern = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`;

export class HostRepository {
  readonly #db: Kysely<Tables>;
  readonly #locking: Locking;

  constructor(db: Kysely<Tables>, locking: Locking) {
    this.#db = db;
    this.#locking = locking;
  }

  async get(address: Address): Promise<Host | undefined> {
    const row = await this.#db
      .selectFrom('hosts')
      .selectAll()
      .where('address', '=', address)
      .executeTakeFirst();
    return row && toHost(row);
  }

  /** By numeric value of the address. */
  async list(filter: HostFilter, page: Page<Address>): Promise<Listed<Host>> {
    let query = this.#db.selectFrom('hosts').selectAll().orderBy('sort_key');
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (filter.os !== undefined) query = query.where('os', '=', filter.os);
    if (filter.cluster === null) query = query.where('cluster', 'is', null);
    else if (filter.cluster !== undefined) query = query.where('cluster', '=', filter.cluster);
    if (filter.addressPart !== undefined) {
      const pattern = likePattern(filter.addressPart);
      query = query.where(({ eb, fn, val }) =>
        eb(fn('lower', ['address']), 'like', val(pattern.toLowerCase())),
      );
    }
    if (page.after !== undefined) query = query.where('sort_key', '>', addressSortKey(page.after));
    return readPage(query, page.limit, toHost);
  }

  async memberAddresses(cluster: RecordName, page: Page<Address> = {}): Promise<Listed<Address>> {
    let query = this.#db
      .selectFrom('hosts')
      .select('address')
      .where('cluster', '=', cluster)
      .orderBy('sort_key');
    if (page.after !== undefined) query = query.where('sort_key', '>', addressSortKey(page.after));
    return readPage(query, page.limit, row => row.address);
  }

  async lock(address: Address): Promise<Host | undefined> {
    const [host] = await this.lockAll([address]);
    return host;
  }

  /** Those of them that exist, by numeric value of the address. */
  async lockAll(addresses: readonly Address[]): Promise<readonly Host[]> {
    const sorted = [...addresses].sort(compareAddresses);
    for (const address of sorted) this.#locking.order.next('host', addressSortKey(address));
    const found: Host[] = [];
    for (const chunk of chunksOf(sorted)) {
      const rows = await this.#db
        .selectFrom('hosts')
        .selectAll()
        .where('address', 'in', chunk)
        .orderBy('sort_key')
        .$if(this.#locking.hasRowLocks, query => query.forUpdate())
        .execute();
      found.push(...rows.map(toHost));
    }
    return found;
  }

  /** The host at that address that is there, locked; `undefined` when this one was made. */
  insertOrLock(host: Host): Promise<Host | undefined> {
    return insertOrLock(
      () => this.lock(host.address),
      () => this.#insert(host),
    );
  }

  async #insert(host: Host): Promise<boolean> {
    return wasInserted(
      await this.#db
        .insertInto('hosts')
        .values(toRow(host))
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst(),
    );
  }

  async update(host: Host): Promise<void> {
    await this.#db.updateTable('hosts').set(toRow(host)).where('address', '=', host.address).execute();
  }

  async setCluster(addresses: readonly Address[], cluster: RecordName | null): Promise<void> {
    for (const chunk of chunksOf(addresses)) {
      await this.#db.updateTable('hosts').set({ cluster }).where('address', 'in', chunk).execute();
    }
  }

  async setStatus(addresses: readonly Address[], status: HostStatus, reason = ''): Promise<void> {
    for (const chunk of chunksOf(addresses)) {
      await this.#db.updateTable('hosts').set({ status, reason }).where('address', 'in', chunk).execute();
    }
  }

  /** With its credentials. */
  async remove(address: Address): Promise<void> {
    await this.#db.deleteFrom('host_access').where('host', '=', address).execute();
    await this.#db.deleteFrom('hosts').where('address', '=', address).execute();
  }
}
