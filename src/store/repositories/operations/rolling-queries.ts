// What is asked of the hosts of an operation to decide about it. What must hold: each is answered by an index, and by as few rows as can matter.

import type { RecordName } from '../../../domain/record-name.ts';
import { IN_FLIGHT_PHASES, NOT_ENDED_PHASES, PREPARING_PHASES } from '../../../domain/rolling/host-phase.ts';
import type { HostPhase } from '../../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../domain/vocabulary.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { limited } from '../queries/page-query.ts';

type Of = { readonly id: string };

const NOT_ACTIVE = HOST_STATUSES.filter(status => status !== 'active');

const inPhases = (phases: readonly HostPhase[]) =>
  prepare(({ db }: SqlSession, { id }: Of) =>
    db
      .selectFrom('operation_hosts')
      .select([
        'host',
        'is_staged',
        'is_control_plane',
        'position',
        'keeps_slot',
        'is_unreachable',
        'problem',
      ])
      .where('operation', '=', id)
      .where('phase', 'in', phases)
      .orderBy('position'),
  );
export const inFlight = inPhases(IN_FLIGHT_PHASES);
export const prepared = inPhases(PREPARING_PHASES);
export const failed = inPhases(['failed']);

/** Those that are up to be prepared, in order. That none is staged is said for the index. */
export const pending = prepare(({ db }: SqlSession, { id, limit }: Of & { limit: number }) =>
  limited(
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

export const proved = prepare(({ db }: SqlSession, { id, limit }: Of & { limit: number }) =>
  limited(
    db
      .selectFrom('operation_hosts')
      .select('host')
      .where('operation', '=', id)
      .where('phase', '=', 'done')
      .where('is_already_there', '=', 0),
    limit,
  ),
);

/** Any that is not of the control plane and has not ended. Whether it is staged is said for the index. */
export const workerLeft = prepare(({ db }: SqlSession, { id }: Of) =>
  limited(
    db
      .selectFrom('operation_hosts')
      .select('host')
      .where('operation', '=', id)
      .where('phase', 'in', NOT_ENDED_PHASES)
      .where('is_staged', 'in', [0, 1])
      .where('is_control_plane', '=', 0),
    1,
  ),
);

export const membersOf = prepare(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('hosts')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('cluster', '=', cluster),
);

/** Members that are down, each with its part in the plan, if it has one. The index of members by status answers it. */
const downOf = (isMaintained: boolean) =>
  prepare(({ db }: SqlSession, { id, cluster }: Of & { cluster: RecordName }) => {
    const down = db
      .selectFrom('hosts')
      .leftJoin('operation_hosts as planned', join =>
        join
          .on('planned.operation', '=', id)
          .onRef('planned.host', '=', 'hosts.address')
          .onRef('planned.enrolment', '=', 'hosts.enrolment'),
      )
      .select(['address', 'status', 'in_maintenance', 'planned.phase', 'planned.is_staged'])
      .select(['planned.is_control_plane', 'planned.position'])
      .select(({ selectFrom }) =>
        selectFrom('work')
          .select(({ fn }) => fn.countAll<number>().as('bootstraps'))
          .whereRef('work.host', '=', 'hosts.address')
          .where('work.kind', '=', 'bootstrap')
          .as('bootstraps'),
      )
      .where('cluster', '=', cluster);
    return isMaintained
      ? down.where('status', '=', 'active').where('in_maintenance', '=', 1)
      : down.where('status', 'in', NOT_ACTIVE);
  });
const notActive = downOf(false);
const inMaintenance = downOf(true);

export type DownRow = Awaited<ReturnType<typeof notActive>>[number];

/** Members that are not active, or in maintenance. */
export const downMembers = async (
  session: SqlSession,
  of: Of & { readonly cluster: RecordName },
): Promise<readonly DownRow[]> => [...(await notActive(session, of)), ...(await inMaintenance(session, of))];
