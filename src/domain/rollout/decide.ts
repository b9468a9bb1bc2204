// A pure function of a snapshot. Used slots are hosts in flight, failed hosts that hold their slot, and members that
// are out of service, each counted once. A slot is free again when its host is done: a sliding window, not batches.

import { listSome } from '../../lib/text.ts';
import type { Address } from '../addresses/address.ts';
import { assessMembers } from './assess-members.ts';
import {
  currentMaxUnavailable,
  describeRebootWait,
  hostsClearedToReboot,
  maxFailuresToContinue,
  maxFailuresToFinish,
  unavailableHosts,
} from './budget.ts';
import type { RolloutDecision } from './decision.ts';
import {
  BLOCKED_RECHECK_MS,
  blockedPeriod,
  isInProgress,
  RUNNING,
  recheckIntervalMs,
  refreshAfterMs,
  startNothing,
  waitForHealthChecks,
} from './decision.ts';
import type { OperationStatus } from './operation.ts';
import { GLOBAL_PAUSE_MESSAGE, needsManualResume } from './operation.ts';
import { describeHosts } from './outage.ts';
import type { Candidate, RolloutSnapshot } from './snapshot.ts';

const PARTITIONED_MESSAGE =
  'partitioned: no server reaches most of its hosts, probably because of a fault in its own network; the operation continues when the hosts respond again; resume it to treat unresponsive hosts as unreachable';

const pausedStatus = (pause: NonNullable<OperationStatus['pause']>, problem: string): OperationStatus => ({
  state: 'paused',
  pause,
  problem,
});

const failedStatus = (problem: string): OperationStatus => ({ state: 'failed', pause: null, problem });

const hasHostsLeft = (snapshot: RolloutSnapshot): boolean =>
  isInProgress(snapshot) || snapshot.staged.length + snapshot.pending.length + snapshot.ineligible.length > 0;

function freeCanarySlots({ operation, verifiedCount, failed, inFlight }: RolloutSnapshot, starting: number): number {
  const { canary } = operation.policy;
  if (verifiedCount >= canary) return Number.POSITIVE_INFINITY;
  return canary - (verifiedCount + failed.length + inFlight.length + starting);
}

/** Control-plane nodes come last and one at a time. */
function hostsToStart(snapshot: RolloutSnapshot): readonly Candidate[] {
  const {
    staged,
    inFlight,
    outages,
    unregistered,
    unchecked,
    areWorkersLeft,
    brokenControlPlane,
    firstPreparingPosition,
  } = snapshot;
  const used = new Set(unavailableHosts(snapshot));
  // An unregistered host already uses a slot, so other unregistered hosts do not block it.
  const usedByRegistered = new Set(
    unavailableHosts({ ...snapshot, outages: outages.filter(({ host }) => !unregistered.includes(host)) }),
  );
  const maxUnavailable = currentMaxUnavailable(snapshot);
  // More hosts than canaries can be staged: an ineligible host is replaced by another and can become eligible again.
  let canaries = freeCanarySlots(snapshot, 0);
  let isControlPlaneFree = !areWorkersLeft && inFlight.length === 0;
  // Hosts start in plan order. A host that is still preparing blocks later hosts unless it is delayed.
  const isOutOfOrder = ({ position }: Candidate) =>
    firstPreparingPosition !== null && firstPreparingPosition < position;
  return staged.filter(candidate => {
    const { host, isDown, isUnresponsive, isControlPlane } = candidate;
    if (canaries <= 0 || isDown || isUnresponsive || isOutOfOrder(candidate)) return false;
    if (unchecked.some(other => other !== host)) return false;
    const isOnlyOne = brokenControlPlane.every(broken => broken === host);
    if (isControlPlane && !(isControlPlaneFree && isOnlyOne)) return false;
    const inUse = unregistered.includes(host) ? usedByRegistered : used;
    if (inUse.size >= maxUnavailable) return false;
    if (isControlPlane) isControlPlaneFree = false;
    canaries -= 1;
    used.add(host);
    usedByRegistered.add(host);
    return true;
  });
}

/**
 * At most `stage_parallel` at once, and not further ahead than there are slots. A host that is down needs no slot and
 * may be the one that blocks the others.
 */
function hostsToStage(snapshot: RolloutSnapshot): readonly Candidate[] {
  const { operation, preparingCount, unresponsiveCount, pending } = snapshot;
  const { stageParallel } = operation.policy;
  // The control plane goes last: its staged hosts must not use the capacity of the workers that it waits for.
  const ready = snapshot.staged.filter(({ isControlPlane }) => !(isControlPlane && snapshot.areWorkersLeft));
  // Unresponsive hosts have their own capacity, so they do not delay the others.
  const capacity = {
    up: stageParallel - (preparingCount - unresponsiveCount),
    down: stageParallel - unresponsiveCount,
  };
  let canaries = freeCanarySlots(snapshot, preparingCount + ready.length);
  let ahead = stageParallel + currentMaxUnavailable(snapshot) - preparingCount - ready.length;
  return pending.filter(({ isDown }) => {
    const kind = isDown ? 'down' : 'up';
    if (capacity[kind] <= 0 || canaries <= 0 || (!isDown && ahead <= 0)) return false;
    capacity[kind] -= 1;
    canaries -= 1;
    ahead -= 1;
    return true;
  });
}

function failureLimitProblem(snapshot: RolloutSnapshot, allowed: number): string | undefined {
  const failures = snapshot.failed.length;
  return failures > allowed ? `too_many_failures: ${failures} failed, at most ${allowed} allowed` : undefined;
}

function decideIfBlocked(snapshot: RolloutSnapshot): RolloutDecision | undefined {
  const { operation, isGloballyPaused, isPartitioned, window } = snapshot;
  const { pause, policy, problem } = operation;
  // Checked before the global pause, so that this pause remains after the global pause ends.
  if (pause !== null && needsManualResume({ pause })) return startNothing(snapshot, pausedStatus(pause, problem));
  if (isGloballyPaused) return startNothing(snapshot, pausedStatus('global_pause', GLOBAL_PAUSE_MESSAGE));
  const failureMessage = failureLimitProblem(snapshot, maxFailuresToContinue(snapshot));
  if (failureMessage !== undefined) {
    if (policy.onFailure === 'pause') return startNothing(snapshot, pausedStatus('failures', failureMessage));
    return startNothing(
      snapshot,
      isInProgress(snapshot) ? { ...RUNNING, problem: failureMessage } : failedStatus(failureMessage),
    );
  }
  if (!window.isOpen)
    return startNothing(snapshot, pausedStatus('window', 'the window is closed'), {
      reconcileAtMs: window.changesAtMs,
    });
  return isPartitioned ? startNothing(snapshot, pausedStatus('partitioned', PARTITIONED_MESSAGE)) : undefined;
}

/** No host is left, so pauses and windows no longer matter. */
function endOperation(snapshot: RolloutSnapshot): RolloutDecision {
  const failureMessage = failureLimitProblem(snapshot, maxFailuresToFinish(snapshot));
  if (failureMessage === undefined) return startNothing(snapshot, { state: 'finished', pause: null, problem: '' });
  const { policy, pause } = snapshot.operation;
  if (policy.onFailure === 'fail') return startNothing(snapshot, failedStatus(failureMessage));
  // A manual pause remains until a user resumes the operation, also after a retry.
  return startNothing(snapshot, pausedStatus(pause === 'manual' ? 'manual' : 'failures', failureMessage));
}

/** Waits for the blocking hosts until `timeouts.ready`, then applies `on_failure`. */
function handleNoProgress(snapshot: RolloutSnapshot, blockers: readonly Address[]): RolloutDecision {
  const { operation, nowMs, outages } = snapshot;
  const { policy } = operation;
  const { sinceMs: blockedSinceMs, untilMs, isOver } = blockedPeriod(snapshot);
  const hosts = describeHosts(blockers, outages);
  if (!isOver) {
    const reconcileAtMs = Math.min(untilMs, nowMs + BLOCKED_RECHECK_MS);
    const status = { ...RUNNING, problem: `waiting for ${hosts}` };
    return startNothing(snapshot, status, { blockedSinceMs, reconcileAtMs, checkAfterMs: refreshAfterMs(snapshot) });
  }
  const problem = `budget_exhausted: waited ${policy.timeouts.readyS} s for ${hosts}`;
  return startNothing(snapshot, policy.onFailure === 'pause' ? pausedStatus('budget', problem) : failedStatus(problem));
}

function blockingHosts(snapshot: RolloutSnapshot): readonly Address[] {
  const { outages, holdingSlot, ineligible, brokenControlPlane, failed } = snapshot;
  const canaries = freeCanarySlots(snapshot, 0) <= 0 ? failed : [];
  return [...canaries, ...holdingSlot, ...outages.map(({ host }) => host), ...ineligible, ...brokenControlPlane];
}

function decideStarts(snapshot: RolloutSnapshot): RolloutDecision {
  const { operation, window, unchecked } = snapshot;
  if (operation.state === 'cancelling') {
    const state = snapshot.inFlight.length === 0 ? 'cancelled' : 'cancelling';
    return startNothing(snapshot, { state, pause: null, problem: operation.problem });
  }
  // Checked first: a person must check the hosts even if the backup shows no hosts left.
  if (operation.pause === 'restored') return startNothing(snapshot, pausedStatus('restored', operation.problem));
  if (!hasHostsLeft(snapshot)) return endOperation(snapshot);
  const blocked = decideIfBlocked(snapshot) ?? assessMembers(snapshot);
  if (blocked) return blocked;
  const [starting, stage] = [hostsToStart(snapshot), hostsToStage(snapshot)];
  const isWaitingForChecks = starting.length === 0 && hostsToStart({ ...snapshot, unchecked: [] }).length > 0;
  if (starting.length + stage.length === 0 && !isInProgress(snapshot))
    return isWaitingForChecks
      ? waitForHealthChecksOrStop(snapshot)
      : handleNoProgress(snapshot, blockingHosts(snapshot));
  const checked = isWaitingForChecks ? waitForHealthChecks(snapshot, unchecked) : startNothing(snapshot, RUNNING);
  return {
    ...checked,
    stage: stage.map(({ host }) => host),
    start: starting.map(({ host }) => host),
    assessment: 'done',
    blockedSinceMs: null,
    reconcileAtMs: earliest(checked.reconcileAtMs, window.changesAtMs),
  };
}

/** Waits no longer than `timeouts.ready`. */
function waitForHealthChecksOrStop(snapshot: RolloutSnapshot): RolloutDecision {
  const { unchecked } = snapshot;
  const { sinceMs, isOver } = blockedPeriod(snapshot);
  return isOver
    ? handleNoProgress(snapshot, unchecked)
    : { ...waitForHealthChecks(snapshot, unchecked), blockedSinceMs: sinceMs };
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Must not be called for an ended operation. */
export function decideRollout(snapshot: RolloutSnapshot): RolloutDecision {
  const decision = decideStarts(snapshot);
  const clearToReboot = hostsClearedToReboot(snapshot);
  const waiting = snapshot.pendingReboots.filter(
    ({ host, awaitsRebootClearance }) => awaitsRebootClearance && !clearToReboot.includes(host),
  );
  if (waiting.length === 0) return { ...decision, clearToReboot };
  const { status, reconcileAtMs } = decision;
  const problem = status.problem || describeRebootWait(snapshot, listSome(waiting.map(({ host }) => host)));
  return {
    ...decision,
    clearToReboot,
    status: { ...status, problem },
    checkAfterMs: decision.checkAfterMs ?? refreshAfterMs(snapshot),
    reconcileAtMs: earliest(reconcileAtMs, snapshot.nowMs + recheckIntervalMs(snapshot)),
  };
}
