import type { Address } from '../../../domain/addresses/address.ts';
import { sortWithKeys } from '../../../domain/addresses/address.ts';
import type { HostCheck } from '../../../domain/health-check.ts';
import { decodeChecks, encodeCheck } from '../../../domain/health-check.ts';
import { READY_STATUSES } from '../../../domain/hosts/host-status.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { appendedCheck } from './appended-check.ts';

const historyOf = prepare(({ db }: SqlSession, { address }: { address: Address }) =>
  db.selectFrom('hosts').select('check_history').where('address', '=', address),
);

/** What most checks write: that there was one. */
export class HostCheckRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Keeps these hosts as they are until the transaction ends. */
  async lock(hosts: readonly Address[]): Promise<void> {
    const { db, engine, order } = this.#session;
    const sorted = sortWithKeys(hosts);
    for (const { key } of sorted) order.next('host', key);
    if (!engine.hasRowLocks) return;
    for (const chunk of chunksOf(sorted)) {
      const addresses = chunk.map(({ address }) => address);
      const rows = db
        .selectFrom('hosts')
        .select('address')
        .where('address', 'in', addresses)
        .orderBy('sort_key');
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

  /** The last checks of a host, the oldest first. */
  async history(address: Address): Promise<readonly HostCheck[] | undefined> {
    const [row] = await historyOf(this.#session, { address });
    return row && decodeChecks(row.check_history);
  }

  /** Of those of them that are well: another that was enrolled there meanwhile is not. */
  async setPassed(hosts: readonly Address[], at: string): Promise<void> {
    const entry = encodeCheck({ at, result: 'passed' });
    for (const chunk of chunksOf(hosts)) {
      await this.#session.db
        .updateTable('hosts')
        .set({ last_check: at, check_history: appendedCheck(entry) })
        .where('address', 'in', chunk)
        .where('status', 'in', READY_STATUSES)
        .execute();
    }
  }
}
