import type { Address } from '../../domain/address.ts';
import { addressSortKey, compareAddresses } from '../../domain/address.ts';
import { READY_STATUSES } from '../../domain/host-status.ts';
import type { Session } from '../session.ts';
import { chunksOf } from './chunks-of.ts';

/** What most checks write: that there was one. */
export class HostCheckRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Keeps these hosts as they are until the transaction ends. */
  async lock(hosts: readonly Address[]): Promise<void> {
    const { db, engine, order } = this.#session;
    const sorted = [...hosts].sort(compareAddresses);
    for (const host of sorted) order.next('host', addressSortKey(host));
    if (!engine.hasRowLocks) return;
    for (const chunk of chunksOf(sorted)) {
      const rows = db.selectFrom('hosts').select('address').where('address', 'in', chunk).orderBy('sort_key');
      await rows.forUpdate().execute();
    }
  }

  async countUnreachable(): Promise<number> {
    const row = await this.#session.db
      .selectFrom('hosts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'unreachable')
      .executeTakeFirst();
    return row?.count ?? 0;
  }

  /** Of those of them that are well: another that was enrolled there meanwhile is not. */
  async setLastCheck(hosts: readonly Address[], at: string): Promise<void> {
    for (const chunk of chunksOf(hosts)) {
      await this.#session.db
        .updateTable('hosts')
        .set({ last_check: at })
        .where('address', 'in', chunk)
        .where('status', 'in', READY_STATUSES)
        .execute();
    }
  }
}
