import type { Address } from '../../../domain/addresses/address.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Budget, BudgetInput } from '../../../domain/rollout/budget.ts';
import { currentBudget } from '../../../domain/rollout/budget.ts';
import { CLEARANCE_MS, freshnessMs, isCleared, isFresh, LARGE_CLUSTER } from '../../../domain/rollout/freshness.ts';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import { isOperationOpen } from '../../../domain/rollout/operation.ts';
import { REBOOT_SENT_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { MemberState, Outage } from '../../../domain/rollout/outage.ts';
import type { Candidate, PendingReboot, RolloutSnapshot } from '../../../domain/rollout/snapshot.ts';
import { isDown, isIneligible, isUnresponsive } from '../../../domain/rollout/snapshot.ts';
import { Repository } from '../../sql-session.ts';
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

const MAX_UNCHECKED_LISTED = 20;

/** A failed operation can be retried, and then outages count. */
const canContinue = (operation: ClusterOperation): boolean =>
  !operation.isClusterRemoved && (isOperationOpen(operation) || operation.state === 'failed');

type InFlightRow = Awaited<ReturnType<typeof listInFlight>>[number];

function toPendingReboot(row: InFlightRow, nowMs: number, windowMs: number): readonly PendingReboot[] {
  const awaitsRebootClearance = row.awaits_clearance === 1;
  if (isCleared(row.cleared_until, nowMs) || (REBOOT_SENT_PHASES.includes(row.phase) && !awaitsRebootClearance))
    return [];
  const hasResponded = isFresh(row.responded_at ?? 0, nowMs, windowMs);
  return [{ host: row.host, position: row.position, awaitsRebootClearance, hasResponded }];
}

export interface SnapshotContext
  extends Pick<RolloutSnapshot, 'nowMs' | 'isGloballyPaused' | 'isPartitioned' | 'window'> {
  readonly checkIntervalMs: number;
}

/** Reads what a rollout decision needs. Lists are limited where more rows cannot change the decision. */
export class RolloutSnapshotRepository extends Repository {
  async read(operation: ClusterOperation, { checkIntervalMs, ...context }: SnapshotContext): Promise<RolloutSnapshot> {
    const { id, ignoredHosts } = operation;
    const { nowMs } = context;
    const session = this.session;
    const freshness = await this.#freshness(operation, nowMs, checkIntervalMs);
    const unavailable = await this.#unavailableMembers(operation);
    // Read before hosts in flight and failed hosts: a host that changes its phase meanwhile is then seen
    // twice and not missed.
    const preparingRows = await listPreparing(session, { id });
    const { blocking, inFlightRows, slotHolders, budgetInput } = await this.#budgetUse(operation, unavailable, nowMs);
    const unstaged = preparingRows.filter(row => row.is_staged === 0);
    const needsContacts =
      unstaged.length < preparingRows.length ||
      inFlightRows.some(row => row.awaits_clearance === 1) ||
      operation.assessment !== 'done';
    // Reading all members is slow in a large cluster.
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
          : ignoredHosts.filter(host => !unavailable.has(host) && !budgetInput.inFlight.includes(host)),
      brokenControlPlane: [
        ...slotHolders.filter(row => row.is_control_plane === 1).map(row => row.host),
        ...blocking.filter(row => row.is_control_plane === 1).map(row => row.address),
      ],
      pendingReboots: inFlightRows.flatMap(row => toPendingReboot(row, nowMs, freshness.freshnessMs)),
      preparingCount: unstaged.length,
      unresponsiveCount: unstaged.filter(row => row.is_unreachable === 1).length,
      firstPreparingPosition: unstaged.find(row => row.problem === '')?.position ?? null,
      staged: unavailable.inRolloutOrder(preparingRows.filter(row => row.is_staged === 1).map(unavailable.toCandidate)),
      pending: unavailable.inRolloutOrder(await this.#pending(operation, unavailable)),
      ineligible: [...unavailable.ineligible],
      areWorkersLeft: (await findRemainingWorker(session, { id })).length > 0,
    };
  }

  async getBudget(operation: ClusterOperation, nowMs: number): Promise<{ budget: Budget; outages: readonly Outage[] }> {
    if (!canContinue(operation)) return { budget: currentBudget(await this.#finalBudgetUse(operation)), outages: [] };
    const { budgetInput } = await this.#budgetUse(operation, await this.#unavailableMembers(operation), nowMs);
    const inFlightHosts = new Set(budgetInput.inFlight);
    return {
      budget: currentBudget(budgetInput),
      outages: budgetInput.outages.filter(({ host }) => !inFlightHosts.has(host)),
    };
  }

  /** Members that are out of service according to their stored status, without an operation. */
  async listOutages(cluster: RecordName): Promise<readonly Outage[]> {
    const rows = await listOutageRows(this.session, { id: '', cluster });
    return rows.map(row => toOutage(row, null));
  }

  /** Members that are down, except those that operations do not change. */
  async listDownMembers(cluster: RecordName): Promise<readonly Address[]> {
    const rows = await listOutageRows(this.session, { id: '', cluster });
    const isEligibleAndDown = (state: MemberState) => isDown(state) && !isIneligible(state);
    return rows.filter(row => isEligibleAndDown(toMemberState(row))).map(row => row.address);
  }

  async #unavailableMembers({ id, cluster }: ClusterOperation): Promise<UnavailableMembers> {
    return new UnavailableMembers(await listOutageRows(this.session, { id, cluster }));
  }

  async #budgetUse(operation: ClusterOperation, unavailable: UnavailableMembers, nowMs: number) {
    const { id, ignoredHosts } = operation;
    const isIgnored = new Set(ignoredHosts);
    const blocking = unavailable.rows.filter(({ address }) => !isIgnored.has(address));
    const inFlightRows = await listInFlight(this.session, { id });
    const failedRows = await listFailed(this.session, { id });
    const slotHolders = failedRows.filter(row => row.holds_slot === 1);
    const budgetInput: BudgetInput = {
      ...(await this.#countMembers(operation)),
      operation,
      outages: blocking.map(row => toOutage(row, nowMs)),
      inFlight: inFlightRows.map(row => row.host),
      holdingSlot: slotHolders.map(row => row.host),
      failed: failedRows.map(row => row.host),
    };
    return { blocking, inFlightRows, slotHolders, budgetInput };
  }

  /** When members must have responded. In a small cluster all are checked after an assessment starts. */
  async #freshness(
    { cluster, assessment, blockedSinceMs }: ClusterOperation,
    nowMs: number,
    checkIntervalMs: number,
  ): Promise<Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>> {
    const { length } = await listSomeMembers(this.session, { cluster, limit: LARGE_CLUSTER + 1 });
    const windowMs = freshnessMs(length, checkIntervalMs);
    const isFirst = assessment !== 'done' && length <= LARGE_CLUSTER;
    const respondedSinceMs = Math.max(nowMs - windowMs, isFirst ? (blockedSinceMs ?? nowMs) : 0);
    return { freshnessMs: windowMs, respondedSinceMs };
  }

  /** Members without a recent response, and how long the responses of the others stay valid. */
  async #contactFreshness(
    { id, cluster }: ClusterOperation,
    { freshnessMs: windowMs, respondedSinceMs: since }: Pick<RolloutSnapshot, 'freshnessMs' | 'respondedSinceMs'>,
    now: number,
  ): Promise<Pick<RolloutSnapshot, 'unchecked' | 'freshUntilMs'>> {
    const [oldest] = await findOldestResponse(this.session, { id, cluster, now });
    const respondedAtMs = oldest?.at ?? null;
    if (respondedAtMs === null) return { unchecked: [], freshUntilMs: Number.POSITIVE_INFINITY };
    const staleRows =
      respondedAtMs < since
        ? await listStaleMembers(this.session, { id, cluster, since, now, limit: MAX_UNCHECKED_LISTED })
        : [];
    return {
      unchecked: staleRows.map(row => row.address),
      freshUntilMs: Math.max(respondedAtMs, since) + windowMs + CLEARANCE_MS,
    };
  }

  /** The cluster may have changed since, or be a new one, so its current members do not count. */
  async #finalBudgetUse(operation: ClusterOperation): Promise<BudgetInput> {
    const { id, hostCount } = operation;
    const failedRows = await listFailed(this.session, { id });
    const verifiedRows = await listVerified(this.session, { id, limit: 2 * hostCount });
    return {
      ...{
        operation,
        memberCount: hostCount,
        verifiedCount: verifiedRows.length,
        outages: [],
        inFlight: [],
        holdingSlot: [],
      },
      failed: failedRows.map(row => row.host),
    };
  }

  /** Counting is slow in a large cluster, so only the numbers that the policy needs are counted. */
  async #countMembers({
    id,
    cluster,
    policy,
  }: ClusterOperation): Promise<Pick<RolloutSnapshot, 'memberCount' | 'verifiedCount'>> {
    const countsVerified = policy.canary > 0 || policy.ramp;
    const isExcluding = policy.unhealthy === 'exclude' && typeof policy.maxExcluded === 'string';
    const usesPercentage = typeof policy.maxUnavailable === 'string' || isExcluding;
    const [counted] = usesPercentage || countsVerified ? await countMembers(this.session, { cluster }) : [];
    const members = counted?.members ?? 0;
    // At this number a ramp has its full width and all canaries are verified.
    const limit = Math.max(policy.canary, 2 * members);
    return {
      memberCount: members,
      verifiedCount: countsVerified ? (await listVerified(this.session, { id, limit })).length : 0,
    };
  }

  /** Returns all hosts that are down, and as many others as can be next. */
  async #pending({ id, policy }: ClusterOperation, unavailable: UnavailableMembers): Promise<readonly Candidate[]> {
    const limit = policy.stageParallel + unavailable.waiting.length;
    const next = await listPending(this.session, { id, limit });
    const downCandidates = unavailable.waiting
      .filter(row => row.phase === 'pending')
      .map(({ address, is_control_plane, position }) =>
        unavailable.toCandidate({
          host: address,
          is_control_plane: is_control_plane ?? 0,
          position: position ?? 0,
        }),
      );
    return [...downCandidates, ...next.filter(({ host }) => !unavailable.has(host)).map(unavailable.toCandidate)];
  }
}
