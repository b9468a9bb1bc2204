import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { Repository } from '../../sql-session.ts';
import { insertIfAbsent, toChunks } from '../query-building.ts';
import { HostRepository } from './hosts.ts';

/** The refresh state of a host source. Times are milliseconds of the store's clock. */
export interface SourceRefreshState {
  readonly dueAt: number;
  readonly startedAt: number;
  /** 0: not claimed. */
  readonly claimedUntil: number;
  readonly fence: number;
  /** Why the last refresh failed; empty: it succeeded. */
  readonly problem: string;
}

interface RefreshClaim {
  readonly claimedUntil: number;
  /** Set if all hosts are read: the start, and when the next full refresh is due. */
  readonly fullRefresh?: { readonly startedAt: number; readonly nextDueAt: number } | undefined;
}

export class SourceRefreshRepository extends Repository {
  get(source: string): Promise<SourceRefreshState | undefined> {
    return this.db
      .selectFrom('source_refreshes')
      .select(['due_at as dueAt', 'started_at as startedAt', 'claimed_until as claimedUntil', 'fence', 'problem'])
      .where('source', '=', source)
      .executeTakeFirst();
  }

  /** Schedules the refresh for `dueAt`, unless it is already due earlier. */
  async scheduleBy(source: string, dueAt: number): Promise<void> {
    await insertIfAbsent(this.db.insertInto('source_refreshes').values({ source, due_at: dueAt }));
    await this.db
      .updateTable('source_refreshes')
      .set({ due_at: dueAt })
      .where('source', '=', source)
      .where('due_at', '>', dueAt)
      .execute();
  }

  /** Returns the fence of the claim, or `undefined` if another server was faster. */
  async claim(
    source: string,
    expected: Pick<SourceRefreshState, 'fence' | 'claimedUntil'>,
    { claimedUntil, fullRefresh }: RefreshClaim,
  ): Promise<number | undefined> {
    const row = await this.db
      .updateTable('source_refreshes')
      .set({ claimed_until: claimedUntil, fence: expected.fence + 1 })
      .set({ started_at: fullRefresh?.startedAt, due_at: fullRefresh?.nextDueAt })
      .where('source', '=', source)
      .where('fence', '=', expected.fence)
      .where('claimed_until', '=', expected.claimedUntil)
      .returning('fence')
      .executeTakeFirst();
    return row?.fence;
  }

  /** Extends the claim and locks it until the transaction ends. Returns `false` if another server has it. */
  async extendClaim(source: string, fence: number, claimedUntil: number): Promise<boolean> {
    this.session.lockOrder.assertNext('host_source', source);
    const { numUpdatedRows } = await this.#updateClaim(source, fence)
      .set({ claimed_until: claimedUntil })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async releaseClaim(source: string, fence: number, problem?: string): Promise<void> {
    await this.#updateClaim(source, fence).set({ claimed_until: 0, problem }).execute();
  }

  #updateClaim(source: string, fence: number) {
    return this.db.updateTable('source_refreshes').where('source', '=', source).where('fence', '=', fence);
  }

  /** Only for a store with one server, whose previous process ended during a refresh. */
  async releaseStaleClaim(source: string): Promise<void> {
    await this.db
      .updateTable('source_refreshes')
      .set({ claimed_until: 0, due_at: 0 })
      .where('source', '=', source)
      .where('claimed_until', '>', 0)
      .execute();
  }
}

interface SourcedHostPage {
  readonly limit: number;
  readonly after?: Address | undefined;
  readonly onlyUnread?: boolean;
}

export class SourcedHostRepository extends Repository {
  /** Ordered by the numeric value of the address. */
  async listAddresses(
    source: string,
    { limit, after, onlyUnread = false }: SourcedHostPage,
  ): Promise<readonly Address[]> {
    let query = this.db
      .selectFrom('hosts')
      .select('address')
      .where('source', '=', source)
      // Must match the condition of the partial indexes literally, or they are not used.
      .where(sql<boolean>`source <> ''`)
      .orderBy('sort_key')
      .limit(limit);
    if (after !== undefined) query = query.where('sort_key', '>', addressSortKey(after));
    if (onlyUnread) query = query.where(sql<boolean>`is_source_read = 0`);
    return (await query.execute()).map(row => row.address);
  }

  async hasUnread(source: string): Promise<boolean> {
    return (await this.listAddresses(source, { limit: 1, onlyUnread: true })).length > 0;
  }

  async getLastReadAt(address: Address): Promise<number | null> {
    const row = await this.db
      .selectFrom('hosts')
      .select('source_read_at')
      .where('address', '=', address)
      .executeTakeFirst();
    return row?.source_read_at ?? null;
  }

  /** Saves the facts of the hosts. A host that is missing in the map gets none. */
  async saveFacts(
    source: string,
    addresses: readonly Address[],
    factsByAddress: ReadonlyMap<Address, SourceFacts>,
    at: number,
  ): Promise<void> {
    const hosts = new HostRepository(this.session);
    // A host may have been removed and enrolled again with another source.
    const found = (await hosts.lockAll(addresses)).filter(host => host.source === source);
    for (const host of found) {
      const facts = factsByAddress.get(host.address) ?? null;
      if (!isDeepStrictEqual(facts, host.sourceFacts)) await hosts.update({ ...host, sourceFacts: facts });
    }
    for (const chunk of toChunks(found.map(host => host.address))) {
      await this.db
        .updateTable('hosts')
        .set({ source_read_at: at, is_source_read: 1 })
        .where('address', 'in', chunk)
        .execute();
    }
  }
}
