import type { Address } from '../../domain/addresses/address.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import { Repository } from '../sql-session.ts';
import { nextCheckTime } from './tasks/claims.ts';

/** Larger than the number of claims that a server can have made after the backup. */
const FENCE_JUMP = 1_000_000;
/** PostgreSQL limits the time of a statement. */
const BATCH_SIZE = 10_000;

/** For a store that was restored from a backup. Times are milliseconds of the store's clock. */
export class RestoreRepository extends Repository {
  /** Returns the time of the newest change in the store, or `''` for an empty store. */
  async latestTimestamp(): Promise<string> {
    const { db } = this;
    // Entries in the outbox are newer than the log.
    const last = (await this.#lastEntry('outbox')) ?? (await this.#lastEntry('log'));
    // The event of an earlier restore has the time of that restore; the restored data is older.
    const loggedAt = last?.type === 'service.restored' ? JSON.parse(last.data_json).backup_at : last?.at;
    const { checked } = await db
      .selectFrom('hosts')
      .select(({ fn }) => fn.max('last_check').as('checked'))
      .executeTakeFirstOrThrow();
    return [loggedAt ?? '', checked ?? ''].sort().at(-1) ?? '';
  }

  #lastEntry(table: 'outbox' | 'log') {
    return this.db
      .selectFrom(table)
      .select(['type', 'at', 'data_json'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async countLiveServers(now: number): Promise<number> {
    const { count } = await this.db
      .selectFrom('servers')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('lease_expires_at', '>', now)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Invalidates the fences of servers that still run with claims from after the backup. */
  async invalidateClaims(): Promise<void> {
    const { db } = this;
    await db.deleteFrom('servers').execute();
    await db.updateTable('host_queue').set({ owner: null }).where('owner', 'is not', null).execute();
    // These claims have no owner, only a fence.
    await db
      .updateTable('source_refreshes')
      .set(({ eb }) => ({ claimed_until: 0, due_at: 0, fence: eb('fence', '+', FENCE_JUMP) }))
      .execute();
    await db
      .updateTable('webhooks')
      .set(({ eb }) => ({ claimed_until: 0, fence: eb('fence', '+', FENCE_JUMP) }))
      .execute();
  }

  async deleteTasks(kind: Task['kind']): Promise<readonly Address[]> {
    const rows = await this.db.deleteFrom('tasks').where('kind', '=', kind).returning('host').execute();
    return [...new Set(rows.map(row => row.host))];
  }

  /** Schedules a check with facts of all bootstrapped hosts within `withinMs`, except hosts in a rollout. */
  async scheduleAllChecks(now: number, withinMs: number): Promise<void> {
    const { db } = this;
    const bootstrapped = db
      .selectFrom('hosts')
      .select('address')
      .where('status', 'in', HOST_STATUSES.filter(isBootstrapped));
    const inRollout = db.selectFrom('tasks').select('host').where('kind', '=', 'rollout');
    for (let after = ''; ; ) {
      const page = db
        .selectFrom('host_queue')
        .select('host')
        .where('host', '>', after as Address);
      const hosts = await page.orderBy('host').limit(BATCH_SIZE).execute();
      const last = hosts.at(-1)?.host;
      if (last === undefined) return;
      await db
        .updateTable('host_queue')
        .set({ check_due_at: nextCheckTime(now, withinMs), facts_due_at: 0 })
        .where('host', '>', after as Address)
        .where('host', '<=', last)
        .where('host', 'in', bootstrapped)
        .where('host', 'not in', inRollout)
        .execute();
      after = last;
    }
  }
}
