import type { Address } from '../../../domain/addresses/address.ts';
import type { Budget, BudgetUse } from '../../../domain/rolling/budget.ts';
import { budgetOf } from '../../../domain/rolling/budget.ts';
import type { ClusterOperation } from '../../../domain/rolling/operation.ts';
import { isOpen } from '../../../domain/rolling/operation.ts';
import type { Candidate, MemberState, Snapshot } from '../../../domain/rolling/snapshot.ts';
import { byTurn, isDown, isUntouchable } from '../../../domain/rolling/snapshot.ts';
import type { SqlSession } from '../../sql-session.ts';
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

const stateOf = ({ status, in_maintenance, bootstraps }: DownRow): MemberState => ({
  status,
  isInMaintenance: in_maintenance === 1,
  awaitsBootstrap: Number(bootstraps) > 0,
});

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
    this.untouchable = new Set(
      this.waiting.filter(row => isUntouchable(stateOf(row))).map(row => row.address),
    );
    this.#byAddress = new Map(rows.map(row => [row.address, row]));
  }

  has = (host: Address): boolean => this.#byAddress.has(host);

  candidate = ({ host, position, is_control_plane }: Planned): Candidate => {
    const row = this.#byAddress.get(host);
    return {
      host,
      position,
      isControlPlane: is_control_plane === 1,
      isDown: row !== undefined && isDown(stateOf(row)),
    };
  };

  /** Whoever may be touched of those that are next, whose turn is first at the front. */
  inTurn = (candidates: readonly Candidate[]): readonly Candidate[] =>
    candidates.filter(({ host }) => !this.untouchable.has(host)).sort(byTurn);
}

/** Of the many hosts of an operation what the rule needs to know; what is long is cut where it cannot matter. */
export class RollingSnapshotRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async read(
    operation: ClusterOperation,
    more: Pick<Snapshot, 'nowMs' | 'isHeld' | 'window'>,
  ): Promise<Snapshot> {
    const { id, ignored } = operation;
    const session = this.#session;
    const down = await this.#down(operation);
    // Before those that are in flight or have failed: one that goes on meanwhile is seen twice rather than not at all.
    const preparing = await prepared(session, { id });
    const { inTheWay, keeping, use } = await this.#used(operation, down);
    const unready = preparing.filter(row => row.is_staged === 0);
    return {
      ...more,
      ...use,
      operation,
      detached: inTheWay.filter(row => !isDown(stateOf(row))).map(row => row.address),
      activeAgain: ignored.filter(host => !down.has(host) && !use.inFlight.includes(host)),
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
      areWorkersLeft: (await workerLeft(session, { id })).length > 0,
    };
  }

  /** The amounts of its policy for its cluster, and what the rule takes for used of them. */
  async budget(operation: ClusterOperation): Promise<Budget> {
    if (!isOpen(operation)) return budgetOf(await this.#usedInTheEnd(operation));
    return budgetOf((await this.#used(operation, await this.#down(operation))).use);
  }

  async #down({ id, cluster }: ClusterOperation): Promise<DownMembers> {
    return new DownMembers(await downMembers(this.#session, { id, cluster }));
  }

  async #used(operation: ClusterOperation, down: DownMembers) {
    const { id, ignored } = operation;
    const isIgnored = new Set(ignored);
    const inTheWay = down.rows.filter(({ address }) => !isIgnored.has(address));
    const flying = await inFlight(this.#session, { id });
    const failures = await failed(this.#session, { id });
    const keeping = failures.filter(row => row.keeps_slot === 1);
    const use: BudgetUse = {
      ...(await this.#counted(operation)),
      operation,
      down: inTheWay.map(row => row.address),
      inFlight: flying.map(row => row.host),
      keeping: keeping.map(row => row.host),
      failed: failures.map(row => row.host),
    };
    return { inTheWay, keeping, use };
  }

  /** Its cluster may have changed since, or be another of the same name: what is in it now is none of its own. */
  async #usedInTheEnd(operation: ClusterOperation): Promise<BudgetUse> {
    const { id, planned } = operation;
    const failures = await failed(this.#session, { id });
    const ended = await proved(this.#session, { id, limit: 2 * planned });
    return {
      ...{ operation, members: planned, proved: ended.length, down: [], inFlight: [], keeping: [] },
      failed: failures.map(row => row.host),
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
