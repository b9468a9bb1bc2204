import type { Kysely } from 'kysely';
import type { HostQueueLoad } from '../../../domain/tasks/host-queue.ts';
import { FAIRNESS_GRACE_MS } from '../../../domain/tasks/host-queue.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { withLimit } from '../query-building.ts';

export type DueColumn = 'task_due_at' | 'check_due_at';

export interface HostQueueLoads {
  readonly servers: number;
  readonly task: HostQueueLoad;
  readonly check: HostQueueLoad;
}

type LoadQuery = { readonly owner: string; readonly now: number; readonly limit: number };
type LoadTimes = LoadQuery & { readonly overdueAt: number };

/** Unclaimed due hosts, longest due first, up to the limit. */
const selectDue = (db: Kysely<Tables>, column: DueColumn, { now, overdueAt, limit }: LoadTimes) =>
  db
    .selectFrom(
      withLimit(
        db
          .selectFrom('host_queue')
          .select(`${column} as at`)
          .where(column, '<=', now)
          .where('owner', 'is', null)
          .orderBy(column),
        limit,
      ).as('due_hosts'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('due'),
      fn.min('at').as('since'),
      fn.countAll<number>().filterWhere('at', '<=', overdueAt).as('overdue'),
    ]);

/** A host that is claimed while a task is due counts as claimed for the task. */
const selectClaimed = (db: Kysely<Tables>, { owner, now }: LoadTimes) =>
  db
    .selectFrom('host_queue')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('owner', '=', owner).as('own'),
      fn.countAll<number>().filterWhere('task_due_at', '<=', now).as('task'),
      fn.countAll<number>().filterWhere('task_due_at', '<=', now).filterWhere('owner', '=', owner).as('own_task'),
    ])
    .where('owner', 'is not', null);

const findLoads = prepareQuery(({ db }: SqlSession, times: LoadTimes) =>
  db
    .selectFrom([
      selectDue(db, 'task_due_at', times).as('task'),
      selectDue(db, 'check_due_at', times).as('check'),
      selectClaimed(db, times).as('claimed'),
      db
        .selectFrom('servers')
        .select(({ fn }) => fn.countAll<number>().as('alive'))
        .where('lease_expires_at', '>', times.now)
        .as('servers'),
    ])
    .select([
      'servers.alive',
      'task.due as task_due',
      'task.since as task_since',
      'task.overdue as task_overdue',
      'check.due as check_due',
      'check.since as check_since',
      'check.overdue as check_overdue',
      'claimed.all as claimed_all',
      'claimed.own as claimed_own',
      'claimed.task as claimed_task',
      'claimed.own_task as claimed_own_task',
    ]),
);

/** One small query: due hosts are counted up to a limit, and servers limit their claims. */
export async function readLoads(session: SqlSession, query: LoadQuery): Promise<HostQueueLoads> {
  const [row] = await findLoads(session, { ...query, overdueAt: query.now - FAIRNESS_GRACE_MS });
  if (row === undefined) throw new Error('the query for the backlog returned no row');
  return {
    servers: row.alive,
    task: {
      due: row.task_due,
      dueSinceMs: row.task_since,
      overdue: row.task_overdue,
      claimed: row.claimed_task,
      ownClaims: row.claimed_own_task,
    },
    check: {
      due: row.check_due,
      dueSinceMs: row.check_since,
      overdue: row.check_overdue,
      claimed: row.claimed_all - row.claimed_task,
      ownClaims: row.claimed_own - row.claimed_own_task,
    },
  };
}
