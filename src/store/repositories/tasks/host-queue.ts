import type { Kysely } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import { slotOf } from '../../../domain/tasks/host-queue.ts';
import { MAX_BACKOFF_MS } from '../../../domain/tasks/retry-policy.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { toChunks } from '../query-building.ts';
import { nextSlotTime } from './claims.ts';
import type { DueColumn, HostQueueLoads } from './queue-loads.ts';
import { readLoads } from './queue-loads.ts';

const earliestQuery = (column: DueColumn) =>
  prepareQuery(({ db }: SqlSession, _: Record<never, never>) =>
    db
      .selectFrom('host_queue')
      .select(({ fn }) => fn.min(column).as('at'))
      .where('owner', 'is', null)
      .where(column, 'is not', null),
  );
const findEarliestTask = earliestQuery('task_due_at');
const findEarliestCheck = earliestQuery('check_due_at');

/** A tenth of a second's work for PostgreSQL. */
const REPAIR_BATCH_SIZE = 5000;

/** A host that was silent once is checked again within this time. */
const CONFIRMATION_WINDOW_MS = 5000;

/** When each host is to be looked at next. Times are the store's. */
export class HostQueueRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  get #db(): Kysely<Tables> {
    return this.#session.db;
  }

  /** There is work on these hosts, from now on. */
  async addTasks(hosts: readonly Address[], now: number): Promise<void> {
    if (hosts.length > 0) this.#session.signals.add('due');
    for (const chunk of toChunks([...new Set(hosts)])) {
      await this.#db
        .insertInto('host_queue')
        .values(chunk.map(host => ({ host, check_offset: slotOf(host), task_due_at: now })))
        .onConflict(conflict => conflict.column('host').doUpdateSet({ task_due_at: now }))
        .execute();
    }
  }

  /** The work of these hosts goes on now. */
  async runTasksNow(hosts: readonly Address[], now: number): Promise<void> {
    this.#session.signals.add('due');
    for (const chunk of toChunks(hosts))
      await this.#db.updateTable('host_queue').set({ task_due_at: now }).where('host', 'in', chunk).execute();
  }

  /**
   * Puts in order what the clock, a sleep or an outage has disturbed: what is due later than anything ever is, is brought back; and
   * checks that are long overdue are done at their place in the coming interval, rather than all at once. Many hosts take several
   * calls, each short: it answers whether there may be more. What somebody else is about to change is left to them.
   */
  async repairDueTimes(now: number, intervalMs: number): Promise<boolean> {
    const latestDueAt = now + Math.max(MAX_BACKOFF_MS, intervalMs);
    const overdue = now - Math.floor(intervalMs / 2);
    const misplaced = this.#db
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
    const { hasRowLocks } = this.#session.engine;
    const updated = await this.#db
      .updateTable('host_queue')
      .set({ check_due_at: nextSlotTime(now, intervalMs) })
      .where('host', 'in', hasRowLocks ? misplaced.forUpdate().skipLocked() : misplaced)
      .executeTakeFirst();
    await this.#db.updateTable('tasks').set({ due_at: now }).where('due_at', '>', latestDueAt).execute();
    await this.#db
      .updateTable('host_queue')
      .set({ task_due_at: now })
      .where('task_due_at', '>', latestDueAt)
      .execute();
    return updated.numUpdatedRows >= REPAIR_BATCH_SIZE;
  }

  /** Has some other hosts checked at once, except those that are about to be checked anyway. Answers how many there are. */
  async scheduleCorroboratingChecks(except: Address, limit: number, now: number): Promise<number> {
    this.#session.signals.add('due');
    const candidates = this.#db
      .selectFrom('host_queue')
      .select('host')
      .where('check_due_at', '>', now)
      .where(({ eb, or, and }) =>
        or([
          eb('check_failures', '=', 0),
          // It was silent when another server checked it, or a server that was partitioned.
          and([eb('check_failures', '=', 1), eb('check_due_at', '>', now + CONFIRMATION_WINDOW_MS)]),
        ]),
      )
      .where('owner', 'is', null)
      .where('host', '<>', except)
      .orderBy('check_due_at', 'desc')
      .limit(limit);
    const scheduled = await this.#db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', 'in', candidates)
      .returning('host')
      .execute();
    return scheduled.length;
  }

  /**
   * Has members of a cluster checked whose last contact was before `since`. Hosts in flight are left to their operation. Rows that another
   * transaction has locked are skipped: their contact is being written.
   */
  async checkMembers(cluster: RecordName, since: number, now: number): Promise<void> {
    const { db, engine, signals } = this.#session;
    const members = db
      .selectFrom('host_queue')
      .innerJoin('hosts', 'hosts.address', 'host_queue.host')
      .select('host_queue.host')
      .where('hosts.cluster', '=', cluster)
      // A contact from the future was made before the clock was set back.
      .where(({ eb, or }) => or([eb('answered_at', '<', since), eb('answered_at', '>', now)]))
      .where(({ eb, or }) => or([eb('failed_at', '<', since), eb('failed_at', '>', now)]))
      .where('check_due_at', '>', now);
    const updated = await db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', 'in', engine.hasRowLocks ? members.forUpdate('host_queue').skipLocked() : members)
      .executeTakeFirst();
    if (updated.numUpdatedRows > 0) signals.add('due');
  }

  /** Has all hosts checked at once that failed their last check. */
  async checkFailing(now: number): Promise<void> {
    this.#session.signals.add('due');
    await this.#db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('check_due_at', '>', now)
      .where('check_failures', '>', 0)
      .execute();
  }

  /** When the next host that nobody has is due. */
  async nextDue(): Promise<{ task: number | null; check: number | null }> {
    const [[task], [check]] = [
      await findEarliestTask(this.#session, {}),
      await findEarliestCheck(this.#session, {}),
    ];
    return { task: task?.at ?? null, check: check?.at ?? null };
  }

  /** How much is due, and how much of it each server has, as `owner` needs it to take its share. */
  getLoads(owner: string, now: number, limit: number): Promise<HostQueueLoads> {
    return readLoads(this.#session, { owner, now, limit });
  }

  /** How many hosts are watched, and when the earliest check is or was due that nobody is at. */
  async getCheckStats(): Promise<{ checkedHosts: number; earliestCheckAt: number | null }> {
    const row = await this.#db
      .selectFrom('host_queue')
      .select(({ fn }) => fn.countAll<number>().as('watched'))
      .where('check_due_at', 'is not', null)
      .executeTakeFirst();
    return { checkedHosts: row?.watched ?? 0, earliestCheckAt: (await this.nextDue()).check };
  }

  /** Has a host that is watched checked at once. */
  async checkNow(host: Address, now: number): Promise<void> {
    this.#session.signals.add('due');
    await this.#db
      .updateTable('host_queue')
      .set({ check_due_at: now })
      .where('host', '=', host)
      .where('check_due_at', 'is not', null)
      .execute();
  }

  /** The host is gone, and nothing is left to be done about it. Its owner says so. */
  async remove(host: Address): Promise<void> {
    await this.#db.deleteFrom('host_queue').where('host', '=', host).execute();
  }

  /** The same, said by others: a row that somebody has stays until it is given up, so that its fence never begins anew. */
  async removeUnlessClaimed(host: Address): Promise<void> {
    await this.#db.deleteFrom('host_queue').where('host', '=', host).where('owner', 'is', null).execute();
  }

  /** Rows of hosts that are gone, and whose owner went without giving them up. */
  async removeOrphans(): Promise<void> {
    await this.#db
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
