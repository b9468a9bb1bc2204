// The queries for the decisions of a rollout. Each must use an index and return only rows that can matter.

import { sql } from 'kysely';
import type { RecordName } from '../../../domain/record-name.ts';
import { IN_FLIGHT_PHASES, OPEN_PHASES, PREPARING_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { HostPhase } from '../../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import { withLimit } from '../query-building.ts';

type OperationKey = { readonly id: string };

const INACTIVE_STATUSES = HOST_STATUSES.filter(status => status !== 'active');

const hostsInPhases = (phases: readonly HostPhase[]) =>
  prepareQuery(({ db }: SqlSession, { id }: OperationKey) =>
    db
      .selectFrom('operation_hosts')
      .select(['host', 'is_staged', 'is_control_plane', 'position', 'holds_slot', 'is_unreachable', 'problem'])
      .where('operation', '=', id)
      .where('phase', 'in', phases)
      .orderBy('position'),
  );

export const listInFlight = prepareQuery(({ db }: SqlSession, { id }: OperationKey) =>
  db
    .selectFrom('operation_hosts')
    .leftJoin('host_queue', 'host_queue.host', 'operation_hosts.host')
    .select(['operation_hosts.host', 'position', 'operation_hosts.phase', 'awaits_clearance', 'cleared_until'])
    .select('responded_at')
    .where('operation', '=', id)
    .where('operation_hosts.phase', 'in', IN_FLIGHT_PHASES)
    .orderBy('position'),
);
export const listPreparing = hostsInPhases(PREPARING_PHASES);
export const listFailed = hostsInPhases(['failed']);

/** The next hosts to prepare, in order. `is_staged` is included for the index. */
export const listPending = prepareQuery(({ db }: SqlSession, { id, limit }: OperationKey & { limit: number }) =>
  withLimit(
    db
      .selectFrom('operation_hosts')
      .select(['host', 'is_control_plane', 'position'])
      .where('operation', '=', id)
      .where('phase', '=', 'pending')
      .where('is_staged', '=', 0)
      .orderBy('is_control_plane')
      .orderBy('position'),
    limit,
  ),
);

export const listVerified = prepareQuery(({ db }: SqlSession, { id, limit }: OperationKey & { limit: number }) =>
  withLimit(
    db
      .selectFrom('operation_hosts')
      .select('host')
      .where('operation', '=', id)
      .where('phase', '=', 'done')
      .where('is_already_there', '=', 0),
    limit,
  ),
);

/** Finds a host outside the control plane that has not ended. `is_staged` is included for the index. */
export const findRemainingWorker = prepareQuery(({ db }: SqlSession, { id }: OperationKey) =>
  withLimit(
    db
      .selectFrom('operation_hosts')
      .select('host')
      .where('operation', '=', id)
      .where('phase', 'in', OPEN_PHASES)
      .where('is_staged', 'in', [0, 1])
      .where('is_control_plane', '=', 0),
    1,
  ),
);

export const countMembers = prepareQuery(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('hosts')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('cluster', '=', cluster),
);

/** Used to count members up to a limit. */
export const listSomeMembers = prepareQuery(
  ({ db }: SqlSession, { cluster, limit }: { cluster: RecordName; limit: number }) =>
    withLimit(db.selectFrom('hosts').select('address').where('cluster', '=', cluster), limit),
);

/** Members in service whose last contact succeeded, except hosts in flight. */
const respondingMembers = ({ db }: SqlSession, { id, cluster }: OperationKey & { cluster: RecordName }) =>
  db
    .selectFrom('hosts')
    .innerJoin('host_queue', 'host_queue.host', 'hosts.address')
    .where('cluster', '=', cluster)
    .where('status', '=', 'active')
    .where('in_maintenance', '=', 0)
    .where('failing_since', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operation_hosts')
            .select('host')
            .where('operation', '=', id)
            .whereRef('operation_hosts.host', '=', 'hosts.address')
            .where('operation_hosts.phase', 'in', IN_FLIGHT_PHASES),
        ),
      ),
    );

/** A time in the future was written before the clock was set back, and counts as never. */
const respondedAtSql = (now: number) => sql<number>`case when responded_at > ${now} then 0 else responded_at end`;

export const findOldestResponse = prepareQuery(
  (session: SqlSession, { now, ...key }: OperationKey & { cluster: RecordName; now: number }) =>
    respondingMembers(session, key).select(({ fn }) => fn.min(respondedAtSql(now)).as('at')),
);

export const listStaleMembers = prepareQuery(
  (
    session: SqlSession,
    { since, now, limit, ...key }: OperationKey & { cluster: RecordName; since: number; now: number; limit: number },
  ) =>
    withLimit(
      respondingMembers(session, key)
        .select('address')
        .where(respondedAtSql(now), '<', since)
        .orderBy(respondedAtSql(now)),
      limit,
    ),
);

/** Why a member is out of service: its status, maintenance, or a failed last contact. */
type OutageKind = 'status' | 'maintenance' | 'contact';

/** Members out of service with their row of the plan, if any. Uses the index `hosts_by_cluster_status`. */
const outageQuery = (kind: OutageKind) =>
  prepareQuery(({ db }: SqlSession, { id, cluster }: OperationKey & { cluster: RecordName }) => {
    const members = db
      .selectFrom('hosts')
      .leftJoin('host_queue', 'host_queue.host', 'hosts.address')
      .leftJoin('operation_hosts as planned', join =>
        join
          .on('planned.operation', '=', id)
          .onRef('planned.host', '=', 'hosts.address')
          .onRef('planned.enrolment', '=', 'hosts.enrolment'),
      )
      .select(['address', 'status', 'reason', 'status_since'])
      .select(['in_maintenance', 'maintenance_reason', 'maintenance_since'])
      .select(['responded_at', 'failing_since', 'failed_at', 'contact_failures'])
      .select(['planned.phase', 'planned.is_staged', 'planned.is_control_plane', 'planned.position'])
      .select(({ selectFrom }) =>
        selectFrom('tasks')
          .select(({ fn }) => fn.countAll<number>().as('bootstraps'))
          .whereRef('tasks.host', '=', 'hosts.address')
          .where('tasks.kind', '=', 'bootstrap')
          .as('bootstraps'),
      )
      .where('cluster', '=', cluster);
    switch (kind) {
      case 'status':
        return members.where('status', 'in', INACTIVE_STATUSES);
      case 'maintenance':
        return members.where('status', '=', 'active').where('in_maintenance', '=', 1);
      case 'contact':
        return members
          .where('status', '=', 'active')
          .where('in_maintenance', '=', 0)
          .where('failing_since', 'is not', null);
    }
  });
const listByStatus = outageQuery('status');
const listByMaintenance = outageQuery('maintenance');
const listByContact = outageQuery('contact');

export type OutageRow = Awaited<ReturnType<typeof listByStatus>>[number];

export const listOutageRows = async (
  session: SqlSession,
  key: OperationKey & { readonly cluster: RecordName },
): Promise<readonly OutageRow[]> => [
  ...(await listByStatus(session, key)),
  ...(await listByMaintenance(session, key)),
  ...(await listByContact(session, key)),
];
