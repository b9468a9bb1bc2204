import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import type { SqlSession } from '../../sql-session.ts';
import { toChunks } from '../query-building.ts';
import { HostRepository } from './hosts.ts';

/** How it stands with the reading of a host source. Times are the store's. */
export interface SourceRefreshState {
  readonly dueAt: number;
  readonly startedAt: number;
  /** 0: no server has it. */
  readonly claimedUntil: number;
  readonly fence: number;
  /** Why it could not be read the last time; empty: it could. */
  readonly problem: string;
}

/** How a server takes a source that it has seen to be free. */
interface RefreshClaim {
  readonly claimedUntil: number;
  /** When all hosts are read: that this is done, and when the next time is. */
  readonly fullRefresh?: { readonly startedAt: number; readonly nextDueAt: number } | undefined;
}

/** Who reads which host source, and when: one server at a time, however many share the store. */
export class SourceRefreshRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(source: string): Promise<SourceRefreshState | undefined> {
    const row = await this.#session.db
      .selectFrom('source_refreshes')
      .select(['due_at', 'started_at', 'claimed_until', 'fence', 'problem'])
      .where('source', '=', source)
      .executeTakeFirst();
    return (
      row && {
        dueAt: row.due_at,
        startedAt: row.started_at,
        claimedUntil: row.claimed_until,
        fence: row.fence,
        problem: row.problem,
      }
    );
  }

  /** It is read by then, if not earlier. */
  async scheduleBy(source: string, dueAt: number): Promise<void> {
    const { db } = this.#session;
    await db
      .insertInto('source_refreshes')
      .values({ source, due_at: dueAt })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    await db
      .updateTable('source_refreshes')
      .set({ due_at: dueAt })
      .where('source', '=', source)
      .where('due_at', '>', dueAt)
      .execute();
  }

  /** Answers the fence by which it is ours from now on; `undefined`: another server was faster, whether it has it still or not. */
  async claim(
    source: string,
    { fence, claimedUntil: expectedClaimedUntil }: Pick<SourceRefreshState, 'fence' | 'claimedUntil'>,
    { claimedUntil, fullRefresh }: RefreshClaim,
  ): Promise<number | undefined> {
    const row = await this.#session.db
      .updateTable('source_refreshes')
      .set({
        claimed_until: claimedUntil,
        fence: fence + 1,
        ...(fullRefresh && { started_at: fullRefresh.startedAt, due_at: fullRefresh.nextDueAt }),
      })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .where('claimed_until', '=', expectedClaimedUntil)
      .returning('fence')
      .executeTakeFirst();
    return row?.fence;
  }

  /** Keeps it for longer, and locked until the transaction ends. `false`: another server has it by now. */
  async extendClaim(source: string, fence: number, claimedUntil: number): Promise<boolean> {
    this.#session.lockOrder.assertNext('host_source', source);
    const updated = await this.#session.db
      .updateTable('source_refreshes')
      .set({ claimed_until: claimedUntil })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .returning('fence')
      .execute();
    return updated.length > 0;
  }

  /** Lets others have it. */
  async releaseClaim(source: string, fence: number, problem?: string): Promise<void> {
    await this.#session.db
      .updateTable('source_refreshes')
      .set({ claimed_until: 0, ...(problem !== undefined && { problem }) })
      .where('source', '=', source)
      .where('fence', '=', fence)
      .execute();
  }

  /** On a store that has one owner at a time: whoever had it is gone, and did not come to an end. */
  async releaseStaleClaim(source: string): Promise<void> {
    await this.#session.db
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
  /** Only those that their source was never asked for. */
  readonly onlyUnread?: boolean;
}

/** Hosts whose facts come from a source, and what that has told of them. */
export class SourcedHostRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Of one source, by numeric value of the address. */
  async listAddresses(
    source: string,
    { limit, after, onlyUnread = false }: SourcedHostPage,
  ): Promise<readonly Address[]> {
    let query = this.#session.db
      .selectFrom('hosts')
      .select('address')
      .where('source', '=', source)
      // Word for word as the indexes have it, or they are not used.
      .where(sql<boolean>`source <> ''`)
      .orderBy('sort_key')
      .limit(limit);
    if (after !== undefined) query = query.where('sort_key', '>', addressSortKey(after));
    if (onlyUnread) query = query.where(sql<boolean>`is_source_read = 0`);
    return (await query.execute()).map(row => row.address);
  }

  /** Whether there are any that it was never asked for. */
  async hasUnread(source: string): Promise<boolean> {
    return (await this.listAddresses(source, { limit: 1, onlyUnread: true })).length > 0;
  }

  /** When its source was last asked for it, and answered; null: never. */
  async getLastReadAt(address: Address): Promise<number | null> {
    const row = await this.#session.db
      .selectFrom('hosts')
      .select('source_read_at')
      .where('address', '=', address)
      .executeTakeFirst();
    return row?.source_read_at ?? null;
  }

  /** Writes what a source has told of these hosts, nothing of those that it does not know. */
  async saveFacts(
    source: string,
    addresses: readonly Address[],
    told: ReadonlyMap<Address, SourceFacts>,
    at: number,
  ): Promise<void> {
    const hosts = new HostRepository(this.#session);
    // Each may have been removed since, and enrolled anew with another source.
    const found = (await hosts.lockAll(addresses)).filter(host => host.source === source);
    for (const host of found) {
      const facts = told.get(host.address) ?? null;
      if (!isDeepStrictEqual(facts, host.sourceFacts)) await hosts.update({ ...host, sourceFacts: facts });
    }
    for (const chunk of toChunks(found.map(host => host.address))) {
      await this.#session.db
        .updateTable('hosts')
        .set({ source_read_at: at, is_source_read: 1 })
        .where('address', 'in', chunk)
        .execute();
    }
  }
}
