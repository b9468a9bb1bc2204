import type { Address } from '../../../domain/addresses/address.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import { MAX_BACKOFF_MS } from '../../../domain/tasks/retry-policy.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { nextCheckTime } from './claims.ts';
import type { DueColumn, HostQueueLoads } from './queue-loads.ts';
import { readLoads } from './queue-loads.ts';

const earliestQuery = (column: DueColumn) =>
  prepareQuery(({ db }: SqlSession) =>
    db
      .selectFrom('host_queue')
      .select(({ fn }) => fn.min(column).as('at'))
      .where('owner', 'is', null)
      .where(column, 'is not', null),
  );
const findEarliestTask = earliestQuery('task_due_at');
const findEarliestCheck = earliestQuery('check_due_at');

/** Takes PostgreSQL a tenth of a second. */
const REPAIR_BATCH_SIZE = 5000;

/** A host that failed one check is checked again within this time. */
const CONFIRMATION_WINDOW_MS = 5000;

/** When each host is due. Times are milliseconds of the store's clock. */
export class HostQueueRepository extends Repository {
  /**
   * Repairs due times after a clock jump, a suspend or an outage. Checks that are long overdue or too far in the future
   * move to their offset in the next interval, so that they do not all run at once. Tasks too far in the future become
   * due now. Returns whether there may be more: each call handles one batch. Locked rows are skipped.
   */
  async repairDueTimes(now: number, intervalMs: number): Promise<boolean> {
    const latestDueAt = now + Math.max(MAX_BACKOFF_MS, intervalMs);
    const overdue = now - Math.floor(intervalMs / 2);
    const misplaced = this.db
      .selectFrom('host_queue')
      .select('host')
      .where(({ or, and, eb }) =>
        or([
          eb('check_due_at', '<=', overdue),
          eb('check_due_at', '>', Math.max(latestDueAt, now + 2 * intervalMs)),
          and([eb('check_due_at', '>', now + 2 * intervalMs), eb('check_failures', '=', 0)]),
        ]),
      )
      .limit(REPAIR_BATCH_SIZE);
    const { hasRowLocks } = this.session.engine;
    const updated = await this.db
      .updateTable('host_queue')
      .set({ check_due_at: nextCheckTime(now, intervalMs) })
      .where('host', 'in', hasRowLocks ? misplaced.forUpdate().skipLocked() : misplaced)
      .executeTakeFirst();
    await this.db.updateTable('tasks').set({ due_at: now }).where('due_at', '>', latestDueAt).execute();
    await this.db.updateTable('host_queue').set({ task_due_at: now }).where('task_due_at', '>', latestDueAt).execute();
    return updated.numUpdatedRows >= REPAIR_BATCH_SIZE;
  }

  /** Schedules immediate checks of some other unclaimed hosts that are not due yet. Returns their number. */
  async scheduleCorroboratingChecks(except: Address, limit: number, now: number): Promise<number> {
    this.session.signals.add('due');
    const candidates = this.db
      .selectFrom('host_queue')
      .select('host')
      .where('check_due_at', '>', now)
      .where(({ eb, or, and }) =>
        or([
          eb('check_failures', '=', 0),
          // The failed check ran on another or a partitioned server.
          and([eb('check_failures', '=', 1), eb('check_due_at', '>', now + CONFIRMATION_WINDOW_MS)]),
        ]),
      )
      .where('owner', 'is', null)
      .where('host', '<>', except)
      .orderBy('check_due_at', 'desc')
      .limit(limit);
    const scheduled = await this.db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', 'in', candidates)
      .returning('host')
      .execute();
    return scheduled.length;
  }

  /**
   * Schedules checks of members whose last contact was before `since`. Hosts in flight are left to their
   * operation. Locked rows are skipped, because their contact is being written.
   */
  async scheduleMemberChecks(cluster: RecordName, since: number, now: number): Promise<void> {
    const { db, engine, signals } = this.session;
    const members = db
      .selectFrom('host_queue')
      .innerJoin('hosts', 'hosts.address', 'host_queue.host')
      .select('host_queue.host')
      .where('hosts.cluster', '=', cluster)
      // A time in the future was written before the clock was set back.
      .where(({ eb, or }) => or([eb('responded_at', '<', since), eb('responded_at', '>', now)]))
      .where(({ eb, or }) => or([eb('failed_at', '<', since), eb('failed_at', '>', now)]))
      .where('check_due_at', '>', now);
    const updated = await db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', 'in', engine.hasRowLocks ? members.forUpdate('host_queue').skipLocked() : members)
      .executeTakeFirst();
    if (updated.numUpdatedRows > 0) signals.add('due');
  }

  async scheduleFailingHostChecks(now: number): Promise<void> {
    this.session.signals.add('due');
    await this.db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('check_due_at', '>', now)
      .where('check_failures', '>', 0)
      .execute();
  }

  /** When the host last responded, in milliseconds of the store's clock; `undefined`: never. */
  async getRespondedAt(host: Address): Promise<number | undefined> {
    const row = await this.db
      .selectFrom('host_queue')
      .select('responded_at')
      .where('host', '=', host)
      .executeTakeFirst();
    return row?.responded_at || undefined;
  }

  async getNextDue(): Promise<{ task: number | null; check: number | null }> {
    const [[task], [check]] = [await findEarliestTask(this.session, {}), await findEarliestCheck(this.session, {})];
    return { task: task?.at ?? null, check: check?.at ?? null };
  }

  /** The backlog and the claims of all servers, from which `owner` computes its quota. */
  getLoads(owner: string, now: number, limit: number): Promise<HostQueueLoads> {
    return readLoads(this.session, { owner, now, limit });
  }

  /** The hosts that a server has claimed, and whether a server that is not registered has claims. */
  async getClaims(owner: string): Promise<{ readonly hosts: readonly Address[]; readonly hasUnknownOwners: boolean }> {
    const rows = await this.db
      .selectFrom('host_queue')
      .leftJoin('servers', 'servers.incarnation', 'host_queue.owner')
      .select(['host_queue.host', 'servers.incarnation'])
      .where('host_queue.owner', 'is not', null)
      .where(({ eb, or }) => or([eb('host_queue.owner', '=', owner), eb('servers.incarnation', 'is', null)]))
      .execute();
    return {
      hosts: rows.filter(({ incarnation }) => incarnation === owner).map(({ host }) => host),
      hasUnknownOwners: rows.some(({ incarnation }) => incarnation === null),
    };
  }

  async getCheckStats(): Promise<{ checkedHosts: number; earliestCheckAt: number | null }> {
    const row = await this.db
      .selectFrom('host_queue')
      .select(({ fn }) => fn.countAll<number>().as('monitored'))
      .where('check_due_at', 'is not', null)
      .executeTakeFirst();
    return { checkedHosts: row?.monitored ?? 0, earliestCheckAt: (await this.getNextDue()).check };
  }

  /** Does nothing if the host is not monitored. */
  async scheduleCheckNow(host: Address, now: number): Promise<void> {
    this.session.signals.add('due');
    await this.db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', '=', host)
      .where('check_due_at', 'is not', null)
      .execute();
  }

  /** For a host that was removed. The caller must have the claim. */
  async remove(host: Address): Promise<void> {
    await this.db.deleteFrom('host_queue').where('host', '=', host).execute();
  }

  /** Keeps a claimed row until it is released, so that its fence never restarts. */
  async removeUnlessClaimed(host: Address): Promise<void> {
    await this.db.deleteFrom('host_queue').where('host', '=', host).where('owner', 'is', null).execute();
  }

  /** Removes rows of removed hosts that a dead server did not release. */
  async removeOrphans(): Promise<void> {
    await this.db
      .deleteFrom('host_queue')
      .where('owner', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('hosts').select('address').whereRef('address', '=', 'host_queue.host'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('tasks').select('id').whereRef('tasks.host', '=', 'host_queue.host'))),
      )
      .execute();
  }
}
