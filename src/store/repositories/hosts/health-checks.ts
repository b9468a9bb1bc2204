import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { sortWithKeys } from '../../../domain/addresses/address.ts';
import type { HostCheck } from '../../../domain/health-check.ts';
import { CHECK_ENTRY_LENGTH, CHECK_HISTORY_LENGTH, decodeChecks, encodeCheck } from '../../../domain/health-check.ts';
import { READY_STATUSES } from '../../../domain/hosts/host-status.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { toChunks } from '../query-building.ts';

export const appendCheckSql = (entry: string) =>
  sql<string>`substr(check_history, case when length(check_history) < ${sql.lit(CHECK_HISTORY_LENGTH)} then 1 else ${sql.lit(CHECK_ENTRY_LENGTH + 1)} end) || ${entry}`;

const findHistory = prepareQuery(({ db }: SqlSession, { address }: { address: Address }) =>
  db.selectFrom('hosts').select('check_history').where('address', '=', address),
);

/** Records the checks that find no change, in batches. */
export class HealthCheckRepository extends Repository {
  async lockHosts(hosts: readonly Address[]): Promise<void> {
    const { db, engine, lockOrder } = this.session;
    const sorted = sortWithKeys(hosts);
    for (const { key } of sorted) lockOrder.assertNext('host', key);
    if (!engine.hasRowLocks) return;
    for (const chunk of toChunks(sorted)) {
      const addresses = chunk.map(({ address }) => address);
      const rows = db.selectFrom('hosts').select('address').where('address', 'in', addresses).orderBy('sort_key');
      await rows.forUpdate().execute();
    }
  }

  async countUnreachable(): Promise<number> {
    const row = await this.db
      .selectFrom('hosts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'unreachable')
      .executeTakeFirst();
    return row?.count ?? 0;
  }

  /** Oldest first. */
  async getHistory(address: Address): Promise<readonly HostCheck[] | undefined> {
    const [row] = await findHistory(this.session, { address });
    return row && decodeChecks(row.check_history);
  }

  /** Skips hosts with another status: a different host may have been enrolled at the address meanwhile. */
  async recordPassed(hosts: readonly Address[], at: string): Promise<void> {
    const entry = encodeCheck({ at, result: 'passed' });
    for (const chunk of toChunks(hosts)) {
      await this.db
        .updateTable('hosts')
        .set({ last_check: at, check_history: appendCheckSql(entry) })
        .where('address', 'in', chunk)
        .where('status', 'in', READY_STATUSES)
        .execute();
    }
  }
}
