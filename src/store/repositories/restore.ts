import type { Address } from '../../domain/addresses/address.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import type { SqlSession } from '../sql-session.ts';
import { nextSlotTime } from './tasks/claims.ts';

/** Further than a server that the backup does not know can have counted. */
const FENCE_JUMP = 1_000_000;
/** PostgreSQL has a limit of time for one statement. */
const BATCH_SIZE = 10_000;

/** What is asked of, and done to, all rows of a store that was brought back from a backup. Times are the store's. */
export class RestoreRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** The latest time that the store knows of: nothing that happened after it is in it. `''`: it knows of none. */
  async latestTimestamp(): Promise<string> {
    const { db } = this.#session;
    // What waits in the outbox is newer than what is in the log.
    const last = (await this.#lastEntry('outbox')) ?? (await this.#lastEntry('log'));
    // An earlier restore has told its own time; the state is older.
    const loggedAt = last?.type === 'service.restored' ? JSON.parse(last.data_json).backup_at : last?.at;
    const { checked } = await db
      .selectFrom('hosts')
      .select(({ fn }) => fn.max('last_check').as('checked'))
      .executeTakeFirstOrThrow();
    return [loggedAt ?? '', checked ?? ''].sort().at(-1) ?? '';
  }

  #lastEntry(table: 'outbox' | 'log') {
    return this.#session.db
      .selectFrom(table)
      .select(['type', 'at', 'data_json'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** How many servers have a lease that is not over. */
  async countLiveServers(now: number): Promise<number> {
    const { count } = await this.#session.db
      .selectFrom('servers')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('lease_expires_at', '>', now)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Nobody has anything any more; and whoever had something after the backup, and still runs, cannot write. */
  async invalidateClaims(): Promise<void> {
    const { db } = this.#session;
    await db.deleteFrom('servers').execute();
    await db.updateTable('host_queue').set({ owner: null }).where('owner', 'is not', null).execute();
    // Here nobody is known by name, but by the fence alone.
    await db
      .updateTable('source_refreshes')
      .set(({ eb }) => ({ claimed_until: 0, due_at: 0, fence: eb('fence', '+', FENCE_JUMP) }))
      .execute();
    await db
      .updateTable('webhooks')
      .set(({ eb }) => ({ claimed_until: 0, fence: eb('fence', '+', FENCE_JUMP) }))
      .execute();
  }

  /** Forgets all work of this kind. Answers for which hosts there was some. */
  async deleteTasks(kind: Task['kind']): Promise<readonly Address[]> {
    const rows = await this.#session.db
      .deleteFrom('tasks')
      .where('kind', '=', kind)
      .returning('host')
      .execute();
    return [...new Set(rows.map(row => row.host))];
  }

  /** Has all hosts that were made ready checked within this time, and asked for all they know; but those that an operation has in hand. */
  async scheduleAllChecks(now: number, withinMs: number): Promise<void> {
    const { db } = this.#session;
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
        .set({ check_due_at: nextSlotTime(now, withinMs), facts_due_at: 0 })
        .where('host', '>', after as Address)
        .where('host', '<=', last)
        .where('host', 'in', bootstrapped)
        .where('host', 'not in', inRollout)
        .execute();
      after = last;
    }
  }
}
