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
import { toMemberState, toOutage, UnavailableMembers } from './outages.ts';
import {
  countMembers,
  findOldestResponse,
  findRemainingWorker,
  listFailed,
  listInFlight,
  listOutageRows,
  listPending,
  listPreparing,
  listSomeMembers,
  listStaleMembers,
  listVerified,
} from './rollout-queries.ts';

/** At most this many of the members that have not answered are named. */
const MAX_UNCHECKED_LISTED = 20;

/** A failed operation may be retried: then what is out of service counts. */
const canContinue = (operation: ClusterOperation): boolean =>
  !operation.isClusterDeleted && (isOperationOpen(operation) || operation.state === 'failed');

type InFlightRow = Awaited<ReturnType<typeof listInFlight>>[number];

function toPendingReboot(row: InFlightRow, nowMs: number, windowMs: number): readonly PendingReboot[] {
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
export class RolloutSnapshotRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async read(
    operation: ClusterOperation,
    { checkIntervalMs, ...context }: SnapshotContext,
  ): Promise<RolloutSnapshot> {
    const { id, ignoredHosts } = operation;
    const { nowMs } = context;
    const session = this.#session;
    const freshness = await this.#freshness(operation, nowMs, checkIntervalMs);
    const down = await this.#unavailableMembers(operation);
    // Before those that are in flight or have failed: one that goes on meanwhile is seen twice rather than not at all.
    const preparing = await listPreparing(session, { id });
    const { blocking, inFlightRows, keeping, budgetInput } = await this.#budgetUse(operation, down, nowMs);
    const unstaged = preparing.filter(row => row.is_staged === 0);
    const needsContacts =
      unstaged.length < preparing.length ||
      inFlightRows.some(row => row.asks_to_reboot === 1) ||
      operation.assessment !== 'done';
    // To look at all members takes long where they are many.
    const contactFreshness = needsContacts
      ? await this.#contactFreshness(operation, freshness, nowMs)
      : { unchecked: [], freshUntilMs: nowMs };
    return {
      ...context,
      ...budgetInput,
      operation,
      ...contactFreshness,
      ...freshness,
      unregistered: blocking
        .filter(row => !isDown(toMemberState(row)) && !isUnresponsive(toMemberState(row)))
        .map(row => row.address),
      recovered:
        operation.policy.unhealthy === 'exclude'
          ? []
          : ignoredHosts.filter(host => !down.has(host) && !budgetInput.inFlight.includes(host)),
      brokenControlPlane: [
        ...keeping.filter(row => row.is_control_plane === 1).map(row => row.host),
        ...blocking.filter(row => row.is_control_plane === 1).map(row => row.address),
      ],
      pendingReboots: inFlightRows.flatMap(row => toPendingReboot(row, nowMs, freshness.freshnessMs)),
      preparingCount: unstaged.length,
      unresponsiveCount: unstaged.filter(row => row.is_unreachable === 1).length,
      firstPreparingPosition: unstaged.find(row => row.problem === '')?.position ?? null,
      staged: down.inRolloutOrder(preparing.filter(row => row.is_staged === 1).map(down.toCandidate)),
      pending: down.inRolloutOrder(await this.#pending(operation, down)),
      ineligible: [...down.ineligible],
      areWorkersLeft: (await findRemainingWorker(session, { id })).length > 0,
    };
  }

  /** The amounts of its policy for its cluster, and what the rule takes for used of them. */
  async budget(
    operation: ClusterOperation,
    nowMs: number,
  ): Promise<{ budget: Budget; outages: readonly Outage[] }> {
    if (!canContinue(operation))
      return { budget: currentBudget(await this.#finalBudgetUse(operation)), outages: [] };
    const { budgetInput } = await this.#budgetUse(
      operation,
      await this.#unavailableMembers(operation),
      nowMs,
    );
    const inFlightHosts = new Set(budgetInput.inFlight);
    return {
      budget: currentBudget(budgetInput),
      outages: budgetInput.outages.filter(({ host }) => !inFlightHosts.has(host)),
    };
  }

  /** Members of a cluster that are out of service by the records, for any operation. */
  async outages(cluster: RecordName): Promise<readonly Outage[]> {
    const rows = await listOutageRows(this.#session, { id: '', cluster });
    return rows.map(row => toOutage(row, null));
  }

  /** Members of a cluster that are down, except those that no operation may touch. */
  async listDownMembers(cluster: RecordName): Promise<readonly Address[]> {
    const rows = await listOutageRows(this.#session, { id: '', cluster });
    const isEligibleAndDown = (state: MemberState) => isDown(state) && !isIneligible(state);
    return rows.filter(row => isEligibleAndDown(toMemberState(row))).map(row => row.address);
  }

  async #unavailableMembers({ id, cluster }: ClusterOperation): Promise<UnavailableMembers> {
    return new UnavailableMembers(await listOutageRows(this.#session, { id, cluster }));
  }

  async #budgetUse(operation: ClusterOperation, down: UnavailableMembers, nowMs: number) {
    const { id, ignoredHosts } = operation;
    const isIgnored = new Set(ignoredHosts);
    const blocking = down.rows.filter(({ address }) => !isIgnored.has(address));
    const inFlightRows = await listInFlight(this.#session, { id });
    const failedRows = await listFailed(this.#session, { id });
    const keeping = failedRows.filter(row => row.holds_slot === 1);
    const budgetInput: BudgetInput = {
      ...(await this.#countMembers(operation)),
      operation,
      outages: blocking.map(row => toOutage(row, nowMs)),
      inFlight: inFlightRows.map(row => row.host),
      holdingSlot: keeping.map(row => row.host),
      failed: failedRows.map(row => row.host),
    };
    return { blocking, inFlightRows, keeping, budgetInput };
  }

  /** Since when members must have answered. In a cluster that is not large, every member is checked once an assessment begins. */
  async #freshness(
    { cluster, assessment, blockedSinceMs }: ClusterOperation,
    nowMs: number,
    checkIntervalMs: number,
  ): Promise<Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>> {
    const { length } = await listSomeMembers(this.#session, { cluster, limit: LARGE_CLUSTER + 1 });
    const windowMs = freshnessMs(length, checkIntervalMs);
    const isFirst = assessment !== 'done' && length <= LARGE_CLUSTER;
    const respondedSinceMs = Math.max(nowMs - windowMs, isFirst ? (blockedSinceMs ?? nowMs) : 0);
    return { freshnessMs: windowMs, respondedSinceMs };
  }

  /** Members that have not answered within the freshness window, and until when the answers of the others count. */
  async #contactFreshness(
    { id, cluster }: ClusterOperation,
    {
      freshnessMs: windowMs,
      respondedSinceMs: since,
    }: Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>,
    now: number,
  ): Promise<Pick<RolloutSnapshot, 'unchecked' | 'freshUntilMs'>> {
    const [oldest] = await findOldestResponse(this.#session, { id, cluster, now });
    const answeredAtMs = oldest?.at ?? null;
    if (answeredAtMs === null) return { unchecked: [], freshUntilMs: Number.POSITIVE_INFINITY };
    const staleRows =
      answeredAtMs < since
        ? await listStaleMembers(this.#session, { id, cluster, since, now, limit: MAX_UNCHECKED_LISTED })
        : [];
    return {
      unchecked: staleRows.map(row => row.address),
      freshUntilMs: Math.max(answeredAtMs, since) + windowMs + CLEARANCE_MS,
    };
  }

  /** Its cluster may have changed since, or be another of the same name: what is in it now is none of its own. */
  async #finalBudgetUse(operation: ClusterOperation): Promise<BudgetInput> {
    const { id, hostCount } = operation;
    const failedRows = await listFailed(this.#session, { id });
    const verifiedRows = await listVerified(this.#session, { id, limit: 2 * hostCount });
    return {
      ...{
        operation,
        members: hostCount,
        verified: verifiedRows.length,
        outages: [],
        inFlight: [],
        holdingSlot: [],
      },
      failed: failedRows.map(row => row.host),
    };
  }

  /** Counting takes long where they are many: only what the policy asks for. */
  async #countMembers({
    id,
    cluster,
    policy,
  }: ClusterOperation): Promise<Pick<RolloutSnapshot, 'members' | 'verified'>> {
    const countsVerified = policy.canary > 0 || policy.ramp;
    const isExcluding = policy.unhealthy === 'exclude' && typeof policy.maxExcluded === 'string';
    const usesPercentage = typeof policy.maxUnavailable === 'string' || isExcluding;
    const [counted] = usesPercentage || countsVerified ? await countMembers(this.#session, { cluster }) : [];
    const members = counted?.members ?? 0;
    // A ramp has come to its full width by then, and the canaries are proved.
    const limit = Math.max(policy.canary, 2 * members);
    return {
      members,
      verified: countsVerified ? (await listVerified(this.#session, { id, limit })).length : 0,
    };
  }

  /** All that are down, and of the others as many as could be next. */
  async #pending({ id, policy }: ClusterOperation, down: UnavailableMembers): Promise<readonly Candidate[]> {
    const limit = policy.stageParallel + down.waiting.length;
    const next = await listPending(this.#session, { id, limit });
    const downCandidates = down.waiting
      .filter(row => row.phase === 'pending')
      .map(({ address, is_control_plane, position }) =>
        down.toCandidate({ host: address, is_control_plane: is_control_plane ?? 0, position: position ?? 0 }),
      );
    return [...downCandidates, ...next.filter(({ host }) => !down.has(host)).map(down.toCandidate)];
  }
}
