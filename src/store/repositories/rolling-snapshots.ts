import type { Address } from '../../domain/address.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { IN_FLIGHT_PHASES, NOT_ENDED_PHASES, PREPARING_PHASES } from '../../domain/rolling/host-phase.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { Candidate, Snapshot } from '../../domain/rolling/snapshot.ts';
import { byTurn } from '../../domain/rolling/snapshot.ts';
import type { HostPhase, HostStatus } from '../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';
import { limited } from './page-query.ts';

type Of = { readonly id: string };

const NOT_ACTIVE = HOST_STATUSES.filter(status => status !== 'active');
/** Something else is done to them. */
const BEING_BROUGHT_IN: readonly HostStatus[] = ['investigating', 'bootstrapping'];

const inPhases = (phases: readonly HostPhase[]) =>
  prepare(({ db }: Session, { id }: Of) =>
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
const inFlight = inPhases(IN_FLIGHT_PHASES);
const prepared = inPhases(PREPARING_PHASES);
const failed = inPhases(['failed']);

const pending = prepare(({ db }: Session, { id, limit }: Of & { limit: number }) =>
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

const proved = prepare(({ db }: Session, { id, limit }: Of & { limit: number }) =>
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

const workerLeft = prepare(({ db }: Session, { id }: Of) =>
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

const membersOf = prepare(({ db }: Session, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('hosts')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('cluster', '=', cluster),
);

/** Members that are down, each with its part in the plan, if it has one. The index of members by status answers it. */
const downOf = (isMaintained: boolean) =>
  prepare(({ db }: Session, { id, cluster }: Of & { cluster: RecordName }) => {
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

type DownRow = Awaited<ReturnType<typeof notActive>>[number];

/** A bootstrap may have to wait for a container manager long after the host is ready. */
const isUntouchable = ({ in_maintenance, status, bootstraps }: DownRow): boolean =>
  in_maintenance === 1 || BEING_BROUGHT_IN.includes(status) || Number(bootstraps) > 0;

/** Of members that are not active: whether it is more than that they are not registered where they should be. */
const isDown = (row: DownRow | undefined): boolean =>
  row !== undefined && (row.status !== 'disassociated' || row.in_maintenance === 1);

const isWaiting = ({ phase, is_staged }: DownRow): boolean =>
  phase === 'pending' || (phase === 'staging' && is_staged === 1);

/** Of the many hosts of an operation what the rule needs to know; what is long is cut where it cannot matter. */
export class RollingSnapshotRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async read(
    operation: ClusterOperation,
    more: Pick<Snapshot, 'nowMs' | 'isHeld' | 'window'>,
  ): Promise<Snapshot> {
    const { id, cluster, policy, ignored } = operation;
    const session = this.#session;
    const rows = [
      ...(await notActive(session, { id, cluster })),
      ...(await inMaintenance(session, { id, cluster })),
    ];
    const downHosts = new Map<Address, DownRow>(rows.map(row => [row.address, row]));
    const candidate = (row: { host: Address; is_control_plane: number; position: number }): Candidate => ({
      host: row.host,
      position: row.position,
      isControlPlane: row.is_control_plane === 1,
      isDown: isDown(downHosts.get(row.host)),
    });
    const waitingDown = rows.filter(isWaiting);
    const untouchable = new Set(waitingDown.filter(isUntouchable).map(row => row.address));
    const mayBeTouched = ({ host }: Candidate) => !untouchable.has(host);
    const isIgnored = new Set(ignored);
    const inTheWay = rows.filter(({ address }) => !isIgnored.has(address));
    const preparing = await prepared(session, { id });
    const flying = await inFlight(session, { id });
    const unready = preparing.filter(row => row.is_staged === 0);
    const failures = await failed(session, { id });
    const keeping = failures.filter(row => row.keeps_slot === 1);
    const next = await pending(session, { id, limit: policy.stageParallel + waitingDown.length });
    const pendingDown = waitingDown
      .filter(row => row.phase === 'pending')
      .map(({ address, is_control_plane, position }) =>
        candidate({ host: address, is_control_plane: is_control_plane ?? 0, position: position ?? 0 }),
      );
    const isAmongDown = ({ host }: Candidate) => downHosts.has(host);
    const pendingUp = next.map(candidate).filter(each => !isAmongDown(each));
    const isCounted = policy.canary > 0 || policy.ramp;
    // Counting takes long where they are many.
    const isPart = typeof policy.maxUnavailable === 'string';
    const [counted] = isPart || isCounted ? await membersOf(session, { cluster }) : [];
    const members = counted?.members ?? 0;
    const limit = Math.max(policy.canary, 2 * members);
    return {
      ...more,
      operation,
      members,
      down: inTheWay.map(row => row.address),
      detached: inTheWay.filter(row => !isDown(row)).map(row => row.address),
      activeAgain: ignored.filter(host => !downHosts.has(host) && !flying.some(row => row.host === host)),
      inFlight: flying.map(row => row.host),
      keeping: keeping.map(row => row.host),
      brokenControlPlane: [
        ...keeping.filter(row => row.is_control_plane === 1).map(row => row.host),
        ...inTheWay.filter(row => row.is_control_plane === 1).map(row => row.address),
      ],
      preparing: unready.length,
      silent: unready.filter(row => row.is_unreachable === 1).length,
      firstPreparing: unready.find(row => row.problem === '')?.position ?? null,
      staged: preparing
        .filter(row => row.is_staged === 1)
        .map(candidate)
        .filter(mayBeTouched)
        .sort(byTurn),
      pending: [...pendingDown, ...pendingUp].filter(mayBeTouched).sort(byTurn),
      untouchable: [...untouchable],
      proved: isCounted ? (await proved(session, { id, limit })).length : 0,
      failed: failures.map(row => row.host),
      areWorkersLeft: (await workerLeft(session, { id })).length > 0,
    };
  }
}
