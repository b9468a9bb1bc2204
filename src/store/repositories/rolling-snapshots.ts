import type { Address } from '../../domain/address.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { Candidate, Snapshot } from '../../domain/rolling/snapshot.ts';
import { byTurn } from '../../domain/rolling/snapshot.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import type { Session } from '../session.ts';
import type { DownRow } from './rolling-queries.ts';
import {
  downMembers,
  failed,
  inFlight,
  membersOf,
  pending,
  prepared,
  proved,
  workerLeft,
} from './rolling-queries.ts';

/** Something else is done to them. */
const BEING_BROUGHT_IN: readonly HostStatus[] = ['investigating', 'bootstrapping'];

/** A bootstrap may have to wait for a container manager long after the host is ready. */
const isUntouchable = ({ in_maintenance, status, bootstraps }: DownRow): boolean =>
  in_maintenance === 1 || BEING_BROUGHT_IN.includes(status) || Number(bootstraps) > 0;

/** Of members that are not active: whether it is more than that they are not registered where they should be. */
const isDown = (row: DownRow | undefined): boolean =>
  row !== undefined && (row.status !== 'disassociated' || row.in_maintenance === 1);

const isWaiting = ({ phase, is_staged }: DownRow): boolean =>
  phase === 'pending' || (phase === 'staging' && is_staged === 1);

type Planned = { readonly host: Address; readonly is_control_plane: number; readonly position: number };

/** The members of a cluster that are down, and what follows from that for the plan. */
class DownMembers {
  readonly rows: readonly DownRow[];
  /** Those that are in the plan, and have no slot yet. */
  readonly waiting: readonly DownRow[];
  readonly untouchable: ReadonlySet<Address>;
  readonly #byAddress: ReadonlyMap<Address, DownRow>;

  constructor(rows: readonly DownRow[]) {
    this.rows = rows;
    this.waiting = rows.filter(isWaiting);
    this.untouchable = new Set(this.waiting.filter(isUntouchable).map(row => row.address));
    this.#byAddress = new Map(rows.map(row => [row.address, row]));
  }

  has = (host: Address): boolean => this.#byAddress.has(host);

  candidate = (row: Planned): Candidate => ({
    host: row.host,
    position: row.position,
    isControlPlane: row.is_control_plane === 1,
    isDown: isDown(this.#byAddress.get(row.host)),
  });

  /** Whoever may be touched of those that are next, whose turn is first at the front. */
  inTurn = (candidates: readonly Candidate[]): readonly Candidate[] =>
    candidates.filter(({ host }) => !this.untouchable.has(host)).sort(byTurn);
}

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
    const { id, cluster, ignored } = operation;
    const session = this.#session;
    const down = new DownMembers(await downMembers(session, { id, cluster }));
    const isIgnored = new Set(ignored);
    const inTheWay = down.rows.filter(({ address }) => !isIgnored.has(address));
    const preparing = await prepared(session, { id });
    const unready = preparing.filter(row => row.is_staged === 0);
    const flying = (await inFlight(session, { id })).map(row => row.host);
    const failures = await failed(session, { id });
    const keeping = failures.filter(row => row.keeps_slot === 1);
    return {
      ...more,
      ...(await this.#counted(operation)),
      operation,
      down: inTheWay.map(row => row.address),
      detached: inTheWay.filter(row => !isDown(row)).map(row => row.address),
      activeAgain: ignored.filter(host => !down.has(host) && !flying.includes(host)),
      inFlight: flying,
      keeping: keeping.map(row => row.host),
      brokenControlPlane: [
        ...keeping.filter(row => row.is_control_plane === 1).map(row => row.host),
        ...inTheWay.filter(row => row.is_control_plane === 1).map(row => row.address),
      ],
      preparing: unready.length,
      silent: unready.filter(row => row.is_unreachable === 1).length,
      firstPreparing: unready.find(row => row.problem === '')?.position ?? null,
      staged: down.inTurn(preparing.filter(row => row.is_staged === 1).map(down.candidate)),
      pending: down.inTurn(await this.#pending(operation, down)),
      untouchable: [...down.untouchable],
      failed: failures.map(row => row.host),
      areWorkersLeft: (await workerLeft(session, { id })).length > 0,
    };
  }

  /** Counting takes long where they are many: only what the policy asks for. */
  async #counted({ id, cluster, policy }: ClusterOperation): Promise<Pick<Snapshot, 'members' | 'proved'>> {
    const isProofCounted = policy.canary > 0 || policy.ramp;
    const isPart = typeof policy.maxUnavailable === 'string';
    const [counted] = isPart || isProofCounted ? await membersOf(this.#session, { cluster }) : [];
    const members = counted?.members ?? 0;
    // A ramp has come to its full width by then, and the canaries are proved.
    const limit = Math.max(policy.canary, 2 * members);
    return {
      members,
      proved: isProofCounted ? (await proved(this.#session, { id, limit })).length : 0,
    };
  }

  /** All that are down, and of the others as many as could be next. */
  async #pending({ id, policy }: ClusterOperation, down: DownMembers): Promise<readonly Candidate[]> {
    const limit = policy.stageParallel + down.waiting.length;
    const next = await pending(this.#session, { id, limit });
    const amongDown = down.waiting
      .filter(row => row.phase === 'pending')
      .map(({ address, is_control_plane, position }) =>
        down.candidate({ host: address, is_control_plane: is_control_plane ?? 0, position: position ?? 0 }),
      );
    return [...amongDown, ...next.filter(({ host }) => !down.has(host)).map(down.candidate)];
  }
}
