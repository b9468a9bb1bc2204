import type { Address } from '../../../domain/addresses/address.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Budget, BudgetInput } from '../../../domain/rollout/budget.ts';
import { currentBudget } from '../../../domain/rollout/budget.ts';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import { isOperationOpen } from '../../../domain/rollout/operation.ts';
import { REBOOT_SENT_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { MemberState, Outage } from '../../../domain/rollout/outage.ts';
import {
  CLEARANCE_MS,
  freshnessMs,
  isCleared,
  isFresh,
  LARGE_CLUSTER,
} from '../../../domain/rollout/outage.ts';
import type { Candidate, PendingReboot, RolloutSnapshot } from '../../../domain/rollout/snapshot.ts';
import { isDown, isIneligible, isUnresponsive } from '../../../domain/rollout/snapshot.ts';
import type { SqlSession } from '../../sql-session.ts';
import { DownMembers } from './down-members.ts';
import { outageOf, stateOf } from './outage-row.ts';
import {
  failed,
  inFlight,
  membersOf,
  oldestAnswer,
  outageRows,
  pending,
  prepared,
  proved,
  someMembersOf,
  unanswered,
  workerLeft,
} from './rolling-queries.ts';

/** At most this many of the members that have not answered are named. */
const UNCHECKED_NAMED = 20;

/** A failed operation may be retried: then what is out of service counts. */
const mayContinue = (operation: ClusterOperation): boolean =>
  !operation.isClusterDeleted && (isOperationOpen(operation) || operation.state === 'failed');

type InFlightRow = Awaited<ReturnType<typeof inFlight>>[number];

function beforeReboot(row: InFlightRow, nowMs: number, windowMs: number): readonly PendingReboot[] {
  const asksToReboot = row.asks_to_reboot === 1;
  if (isCleared(row.cleared_until, nowMs) || (REBOOT_SENT_PHASES.includes(row.phase) && !asksToReboot))
    return [];
  const hasResponded = isFresh(row.answered_at ?? 0, nowMs, windowMs);
  return [{ host: row.host, position: row.position, asksToReboot, hasResponded }];
}

/** What a snapshot is read for. */
export interface SnapshotContext
  extends Pick<RolloutSnapshot, 'nowMs' | 'isGloballyPaused' | 'isPartitioned' | 'window'> {
  readonly checkIntervalMs: number;
}

/** Of the many hosts of an operation what the rule needs to know; what is long is cut where it cannot matter. */
export class RollingSnapshotRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async read(
    operation: ClusterOperation,
    { checkIntervalMs, ...more }: SnapshotContext,
  ): Promise<RolloutSnapshot> {
    const { id, ignoredHosts } = operation;
    const { nowMs } = more;
    const session = this.#session;
    const freshness = await this.#freshness(operation, nowMs, checkIntervalMs);
    const down = await this.#down(operation);
    // Before those that are in flight or have failed: one that goes on meanwhile is seen twice rather than not at all.
    const preparing = await prepared(session, { id });
    const { inTheWay, inFlightRows, keeping, use } = await this.#used(operation, down, nowMs);
    const unready = preparing.filter(row => row.is_staged === 0);
    const isAnybodyNext =
      unready.length < preparing.length ||
      inFlightRows.some(row => row.asks_to_reboot === 1) ||
      operation.assessment !== 'done';
    // To look at all members takes long where they are many.
    const answers = isAnybodyNext
      ? await this.#answers(operation, freshness, nowMs)
      : { unchecked: [], freshUntilMs: nowMs };
    return {
      ...more,
      ...use,
      operation,
      ...answers,
      ...freshness,
      unregistered: inTheWay
        .filter(row => !isDown(stateOf(row)) && !isUnresponsive(stateOf(row)))
        .map(row => row.address),
      recovered:
        operation.policy.unhealthy === 'exclude'
          ? []
          : ignoredHosts.filter(host => !down.has(host) && !use.inFlight.includes(host)),
      brokenControlPlane: [
        ...keeping.filter(row => row.is_control_plane === 1).map(row => row.host),
        ...inTheWay.filter(row => row.is_control_plane === 1).map(row => row.address),
      ],
      pendingReboots: inFlightRows.flatMap(row => beforeReboot(row, nowMs, freshness.freshnessMs)),
      preparingCount: unready.length,
      unresponsiveCount: unready.filter(row => row.is_unreachable === 1).length,
      firstPreparingPosition: unready.find(row => row.problem === '')?.position ?? null,
      staged: down.inTurn(preparing.filter(row => row.is_staged === 1).map(down.candidate)),
      pending: down.inTurn(await this.#pending(operation, down)),
      ineligible: [...down.untouchable],
      areWorkersLeft: (await workerLeft(session, { id })).length > 0,
    };
  }

  /** The amounts of its policy for its cluster, and what the rule takes for used of them. */
  async budget(
    operation: ClusterOperation,
    nowMs: number,
  ): Promise<{ budget: Budget; outages: readonly Outage[] }> {
    if (!mayContinue(operation))
      return { budget: currentBudget(await this.#usedInTheEnd(operation)), outages: [] };
    const { use } = await this.#used(operation, await this.#down(operation), nowMs);
    const inFlightHosts = new Set(use.inFlight);
    return {
      budget: currentBudget(use),
      outages: use.outages.filter(({ host }) => !inFlightHosts.has(host)),
    };
  }

  /** Members of a cluster that are out of service by the records, for any operation. */
  async outages(cluster: RecordName): Promise<readonly Outage[]> {
    const rows = await outageRows(this.#session, { id: '', cluster });
    return rows.map(row => outageOf(row, null));
  }

  /** Members of a cluster that are down, except those that no operation may touch. */
  async downMembers(cluster: RecordName): Promise<readonly Address[]> {
    const rows = await outageRows(this.#session, { id: '', cluster });
    const isWorkable = (state: MemberState) => isDown(state) && !isIneligible(state);
    return rows.filter(row => isWorkable(stateOf(row))).map(row => row.address);
  }

  async #down({ id, cluster }: ClusterOperation): Promise<DownMembers> {
    return new DownMembers(await outageRows(this.#session, { id, cluster }));
  }

  async #used(operation: ClusterOperation, down: DownMembers, nowMs: number) {
    const { id, ignoredHosts } = operation;
    const isIgnored = new Set(ignoredHosts);
    const inTheWay = down.rows.filter(({ address }) => !isIgnored.has(address));
    const inFlightRows = await inFlight(this.#session, { id });
    const failures = await failed(this.#session, { id });
    const keeping = failures.filter(row => row.holds_slot === 1);
    const use: BudgetInput = {
      ...(await this.#counted(operation)),
      operation,
      outages: inTheWay.map(row => outageOf(row, nowMs)),
      inFlight: inFlightRows.map(row => row.host),
      holdingSlot: keeping.map(row => row.host),
      failed: failures.map(row => row.host),
    };
    return { inTheWay, inFlightRows, keeping, use };
  }

  /** Since when members must have answered. In a cluster that is not large, every member is checked once an assessment begins. */
  async #freshness(
    { cluster, assessment, blockedSinceMs }: ClusterOperation,
    nowMs: number,
    checkIntervalMs: number,
  ): Promise<Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>> {
    const { length } = await someMembersOf(this.#session, { cluster, limit: LARGE_CLUSTER + 1 });
    const windowMs = freshnessMs(length, checkIntervalMs);
    const isFirst = assessment !== 'done' && length <= LARGE_CLUSTER;
    const respondedSinceMs = Math.max(nowMs - windowMs, isFirst ? (blockedSinceMs ?? nowMs) : 0);
    return { freshnessMs: windowMs, respondedSinceMs };
  }

  /** Members that have not answered within the freshness window, and until when the answers of the others count. */
  async #answers(
    { id, cluster }: ClusterOperation,
    {
      freshnessMs: windowMs,
      respondedSinceMs: since,
    }: Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>,
    now: number,
  ): Promise<Pick<RolloutSnapshot, 'unchecked' | 'freshUntilMs'>> {
    const [oldest] = await oldestAnswer(this.#session, { id, cluster, now });
    const answeredAtMs = oldest?.at ?? null;
    if (answeredAtMs === null) return { unchecked: [], freshUntilMs: Number.POSITIVE_INFINITY };
    const late =
      answeredAtMs < since
        ? await unanswered(this.#session, { id, cluster, since, now, limit: UNCHECKED_NAMED })
        : [];
    return {
      unchecked: late.map(row => row.address),
      freshUntilMs: Math.max(answeredAtMs, since) + windowMs + CLEARANCE_MS,
    };
  }

  /** Its cluster may have changed since, or be another of the same name: what is in it now is none of its own. */
  async #usedInTheEnd(operation: ClusterOperation): Promise<BudgetInput> {
    const { id, hostCount } = operation;
    const failures = await failed(this.#session, { id });
    const ended = await proved(this.#session, { id, limit: 2 * hostCount });
    return {
      ...{
        operation,
        members: hostCount,
        verified: ended.length,
        outages: [],
        inFlight: [],
        holdingSlot: [],
      },
      failed: failures.map(row => row.host),
    };
  }

  /** Counting takes long where they are many: only what the policy asks for. */
  async #counted({
    id,
    cluster,
    policy,
  }: ClusterOperation): Promise<Pick<RolloutSnapshot, 'members' | 'verified'>> {
    const isProofCounted = policy.canary > 0 || policy.ramp;
    const isExcluding = policy.unhealthy === 'exclude' && typeof policy.maxExcluded === 'string';
    const isPart = typeof policy.maxUnavailable === 'string' || isExcluding;
    const [counted] = isPart || isProofCounted ? await membersOf(this.#session, { cluster }) : [];
    const members = counted?.members ?? 0;
    // A ramp has come to its full width by then, and the canaries are proved.
    const limit = Math.max(policy.canary, 2 * members);
    return {
      members,
      verified: isProofCounted ? (await proved(this.#session, { id, limit })).length : 0,
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
