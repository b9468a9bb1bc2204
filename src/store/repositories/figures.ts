import { sql } from 'kysely';
import type {
  EventStats,
  HostStats,
  OperationStats,
  PhaseStats,
  WebhookStats,
} from '../../domain/fleet-stats.ts';
import { IN_FLIGHT_PHASES } from '../../domain/rollout/operation-host.ts';
import { UNHEALTHY_STATUSES } from '../../domain/vocabulary.ts';
import { webhookState } from '../../domain/webhooks/webhook.ts';
import { prepare } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';
import { hostsByCluster } from './overview.ts';

type Nothing = Record<never, never>;

/** What waits in the outbox is counted up to here: more is as bad. */
const MOST_COUNTED = 10_000;

const openOperations = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom('operations')
    .select(['kind', 'state', 'pause_reason as pause'])
    .select(({ fn }) => [fn.countAll<number>().as('operations'), fn.min('blocked_since').as('blocked_since')])
    .where('is_open', '=', sql.lit(1))
    .groupBy(['kind', 'state', 'pause_reason']),
);

const openKinds = prepare(({ db }: SqlSession, _: Nothing) =>
  db.selectFrom('operations').select(['id', 'kind']).where('is_open', '=', sql.lit(1)),
);

/** Answered from the index `operation_hosts_by_phase` alone, in its order: four times as fast as by a join, which has to be sorted. */
const hostsByPhase = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom('operation_hosts')
    .select(['operation', 'phase'])
    .select(({ fn }) => fn.countAll<number>().as('hosts'))
    .where('operation', 'in', db.selectFrom('operations').select('id').where('is_open', '=', sql.lit(1)))
    .groupBy(['operation', 'phase']),
);

/** As many as operations have slots, at the most: they are counted here, and not sorted there. */
const troubledInFlight = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom('operation_hosts as planned')
    .innerJoin('hosts', join =>
      join.onRef('hosts.address', '=', 'planned.host').onRef('hosts.enrolment', '=', 'planned.enrolment'),
    )
    .select(['hosts.cluster', 'hosts.status', 'hosts.in_maintenance'])
    .where(
      'planned.operation',
      'in',
      db.selectFrom('operations').select('id').where('is_open', '=', sql.lit(1)),
    )
    .where('planned.phase', 'in', IN_FLIGHT_PHASES)
    .where('hosts.status', 'in', UNHEALTHY_STATUSES),
);

const waitingEntries = prepare(({ db }: SqlSession, _: Nothing) =>
  db
    .selectFrom(db.selectFrom('outbox').select('at').limit(sql.lit(MOST_COUNTED)).as('some'))
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('at').as('oldest_at')]),
);

const position = prepare(({ db }: SqlSession, _: Nothing) => db.selectFrom('log_state').select('last_id'));

const allWebhooks = prepare(({ db }: SqlSession, _: Nothing) =>
  db.selectFrom('webhooks').select(['disabled_at', 'failing_since']),
);

const clusterCount = prepare(({ db }: SqlSession, _: Nothing) =>
  db.selectFrom('clusters').select(({ fn }) => fn.countAll<number>().as('clusters')),
);

const aliveServers = prepare(({ db }: SqlSession, { now }: { now: number }) =>
  db
    .selectFrom('servers')
    .select(({ fn }) => fn.countAll<number>().as('servers'))
    .where('lease_expires_at', '>', now),
);

/** What there is, counted for monitoring: each by one query that an index answers. */
export class FigureRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async hosts(): Promise<readonly HostStats[]> {
    const rows = await hostsByCluster(this.#session, {});
    const groupOf = (row: Pick<(typeof rows)[number], 'cluster' | 'status' | 'in_maintenance'>) =>
      `${row.status} ${row.in_maintenance} ${row.cluster ?? ''}`;
    const inFlight = Map.groupBy(await troubledInFlight(this.#session, {}), groupOf);
    return rows.map(row => ({
      cluster: row.cluster,
      status: row.status,
      isInMaintenance: row.in_maintenance === 1,
      hosts: row.members,
      inFlight: inFlight.get(groupOf(row))?.length ?? 0,
    }));
  }

  async clusters(): Promise<number> {
    const [row] = await clusterCount(this.#session, {});
    return row?.clusters ?? 0;
  }

  async operations(): Promise<readonly OperationStats[]> {
    const rows = await openOperations(this.#session, {});
    return rows.map(({ blocked_since, ...counted }) => ({ ...counted, blockedSinceMs: blocked_since }));
  }

  /** Of operations that are open; for each of them. */
  async phases(): Promise<readonly PhaseStats[]> {
    const kinds = new Map((await openKinds(this.#session, {})).map(({ id, kind }) => [id, kind]));
    const rows = await hostsByPhase(this.#session, {});
    return rows.flatMap(({ operation, phase, hosts }) => {
      const kind = kinds.get(operation);
      return kind === undefined ? [] : [{ kind, phase, hosts }];
    });
  }

  async events(): Promise<EventStats> {
    const [entries] = await waitingEntries(this.#session, {});
    const [log] = await position(this.#session, {});
    return {
      pending: entries?.waiting ?? 0,
      oldestAt: entries?.oldest_at ?? null,
      position: log?.last_id ?? 0,
    };
  }

  async webhooks(): Promise<readonly WebhookStats[]> {
    const rows = await allWebhooks(this.#session, {});
    return rows.map(({ disabled_at: disabledAt, failing_since: failingSinceMs }) => ({
      state: webhookState({ disabledAt, failingSinceMs }),
      failingSinceMs,
    }));
  }

  /** Those that reach hosts, and are heard of. */
  async servers(now: number): Promise<number> {
    const [row] = await aliveServers(this.#session, { now });
    return row?.servers ?? 0;
  }
}
