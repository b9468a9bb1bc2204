import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { HostRepository } from './hosts.ts';

interface ToldPage {
  readonly limit: number;
  readonly after?: Address | undefined;
  /** Only those that their source was never asked for. */
  readonly isNew?: boolean;
}

/** Hosts whose facts come from a source, and what that has told of them. */
export class ToldHostRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Of one source, by numeric value of the address. */
  async page(source: string, { limit, after, isNew = false }: ToldPage): Promise<readonly Address[]> {
    let query = this.#session.db
      .selectFrom('hosts')
      .select('address')
      .where('source', '=', source)
      // Word for word as the indexes have it, or they are not used.
      .where(sql<boolean>`source <> ''`)
      .orderBy('sort_key')
      .limit(limit);
    if (after !== undefined) query = query.where('sort_key', '>', addressSortKey(after));
    if (isNew) query = query.where(sql<boolean>`is_source_read = 0`);
    return (await query.execute()).map(row => row.address);
  }

  /** Whether there are any that it was never asked for. */
  async hasNew(source: string): Promise<boolean> {
    return (await this.page(source, { limit: 1, isNew: true })).length > 0;
  }

  /** When its source was last asked for it, and answered; null: never. */
  async toldAt(address: Address): Promise<number | null> {
    const row = await this.#session.db
      .selectFrom('hosts')
      .select('source_read_at')
      .where('address', '=', address)
      .executeTakeFirst();
    return row?.source_read_at ?? null;
  }

  /** Writes what a source has told of these hosts, nothing of those that it does not know. */
  async write(
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
    for (const chunk of chunksOf(found.map(host => host.address))) {
      await this.#session.db
        .updateTable('hosts')
        .set({ source_read_at: at, is_source_read: 1 })
        .where('address', 'in', chunk)
        .execute();
    }
  }
}
