import type { Kysely } from 'kysely';
import type { HostQueueLoad } from '../../../domain/tasks/host-queue.ts';
import { FAIRNESS_GRACE_MS } from '../../../domain/tasks/host-queue.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { withLimit } from '../query-building.ts';

export type DueColumn = 'task_due_at' | 'check_due_at';

/** How much is due, and how much of it each has. */
export interface HostQueueLoads {
  /** How many servers are alive. */
  readonly servers: number;
  readonly task: HostQueueLoad;
  readonly check: HostQueueLoad;
}

type LoadQuery = { readonly owner: string; readonly now: number; readonly limit: number };
type LoadTimes = LoadQuery & { readonly overdueAt: number };

/** What is due and free; the longest due of them, no more than the limit. */
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
      ).as('waiting'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('due'),
      fn.min('at').as('since'),
      fn.countAll<number>().filterWhere('at', '<=', overdueAt).as('overdue'),
    ]);

/** What servers have. A host that is claimed while its work is due is claimed for that. */
const selectClaimed = (db: Kysely<Tables>, { owner, now }: LoadTimes) =>
  db
    .selectFrom('host_queue')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('owner', '=', owner).as('mine'),
      fn.countAll<number>().filterWhere('task_due_at', '<=', now).as('work'),
      fn
        .countAll<number>()
        .filterWhere('task_due_at', '<=', now)
        .filterWhere('owner', '=', owner)
        .as('my_work'),
    ])
    .where('owner', 'is not', null);

const findLoads = prepareQuery(({ db }: SqlSession, times: LoadTimes) =>
  db
    .selectFrom([
      selectDue(db, 'task_due_at', times).as('work'),
      selectDue(db, 'check_due_at', times).as('check'),
      selectClaimed(db, times).as('taken'),
      db
        .selectFrom('servers')
        .select(({ fn }) => fn.countAll<number>().as('alive'))
        .where('lease_expires_at', '>', times.now)
        .as('servers'),
    ])
    .select([
      'servers.alive',
      'work.due as work_due',
      'work.since as work_since',
      'work.overdue as work_overdue',
      'check.due as check_due',
      'check.since as check_since',
      'check.overdue as check_overdue',
      'taken.all as taken_all',
      'taken.mine as taken_mine',
      'taken.work as taken_work',
      'taken.my_work as taken_my_work',
    ]),
);

/** One small query: what is due is counted up to a limit, and what is taken is as much as servers can take. */
export async function readLoads(session: SqlSession, query: LoadQuery): Promise<HostQueueLoads> {
  const [row] = await findLoads(session, { ...query, overdueAt: query.now - FAIRNESS_GRACE_MS });
  if (row === undefined) throw new Error('the query for the backlog returned no row');
  return {
    servers: row.alive,
    task: {
      due: row.work_due,
      dueSinceMs: row.work_since,
      overdue: row.work_overdue,
      claimed: row.taken_work,
      ownClaims: row.taken_my_work,
    },
    check: {
      due: row.check_due,
      dueSinceMs: row.check_since,
      overdue: row.check_overdue,
      claimed: row.taken_all - row.taken_work,
      ownClaims: row.taken_mine - row.taken_my_work,
    },
  };
}
