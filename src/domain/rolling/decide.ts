// Decides which hosts may start now, or how the operation ended: one pure function of a snapshot, so that each promise is a row of its table.
//
// Used slots are hosts in flight, failed hosts that keep their slot, and members that are out of service, each counted once. A slot is free
// again when its host is done: a sliding window, not batches.

import { someOf } from '../../lib/text/some-of.ts';
import type { Address } from '../addresses/address.ts';
import { assessMembers } from './assess.ts';
import { failuresAccepted, failuresAllowed, outOfService, widthOf } from './budget.ts';
import type { Decision } from './decision.ts';
import {
  beforeStaleMs,
  checking,
  idle,
  isUnderWay,
  LOOK_AT_DOWN_AGAIN_MS,
  lookAgainMs,
  RUNNING,
  waitFor,
} from './decision.ts';
import type { Standing } from './operation.ts';
import { ALL_HELD, waitsForAPerson } from './operation.ts';
import { nameHosts } from './outage.ts';
import { hostsCleared, rebootProblem } from './reboot-gate.ts';
import type { Candidate, Snapshot } from './snapshot.ts';

const PARTITIONED =
  'partitioned: no server reaches most of its hosts, probably because of a fault in its own network; the operation continues when the hosts respond again; resume it to treat silent hosts as unreachable';

const paused = (pause: NonNullable<Standing['pause']>, problem: string): Standing => ({
  state: 'paused',
  pause,
  problem,
});

const failure = (problem: string): Standing => ({ state: 'failed', pause: null, problem });

const isSomethingLeft = (snapshot: Snapshot): boolean =>
  isUnderWay(snapshot) || snapshot.staged.length + snapshot.pending.length + snapshot.untouchable.length > 0;

/** How many more canaries may start, when this many are about to. */
function canaryRoom({ operation, proved, failed, inFlight }: Snapshot, aboutTo: number): number {
  const { canary } = operation.policy;
  if (proved >= canary) return Number.POSITIVE_INFINITY;
  return canary - (proved + failed.length + inFlight.length + aboutTo);
}

/** Hosts that get a slot; control-plane nodes last and one at a time. */
function rolls(snapshot: Snapshot): readonly Candidate[] {
  const { staged, inFlight, down, detached, unchecked, areWorkersLeft, brokenControlPlane, firstPreparing } =
    snapshot;
  const used = new Set(outOfService(snapshot));
  // A detached host uses a slot by itself, so it does not wait for other detached hosts.
  const usedBesides = new Set(
    outOfService({ ...snapshot, down: down.filter(({ host }) => !detached.includes(host)) }),
  );
  const width = widthOf(snapshot);
  // More hosts than there are canaries may be prepared: a host that was set aside is replaced, and comes back.
  let canaries = canaryRoom(snapshot, 0);
  let isControlPlaneFree = !areWorkersLeft && inFlight.length === 0;
  // A host earlier in the order will be ready in a moment, unless something delays it.
  const isOutOfTurn = ({ position }: Candidate) => firstPreparing !== null && firstPreparing < position;
  return staged.filter(candidate => {
    const { host, isDown, isSilent, isControlPlane } = candidate;
    // A host that does not answer gets no slot until it does.
    if (canaries <= 0 || isDown || isSilent || isOutOfTurn(candidate)) return false;
    if (unchecked.some(other => other !== host)) return false;
    const isOnlyOne = brokenControlPlane.every(broken => broken === host);
    if (isControlPlane && !(isControlPlaneFree && isOnlyOne)) return false;
    const inUse = detached.includes(host) ? usedBesides : used;
    if (inUse.size >= width) return false;
    if (isControlPlane) isControlPlaneFree = false;
    canaries -= 1;
    used.add(host);
    usedBesides.add(host);
    return true;
  });
}

/**
 * Hosts whose preparation starts: as many at once as the policy allows, and not further ahead than there are slots. A host that is down needs
 * no slot, and may be the one that keeps the others from starting.
 */
function preparations(snapshot: Snapshot): readonly Candidate[] {
  const { operation, preparing, silent, pending } = snapshot;
  const { stageParallel } = operation.policy;
  // The control plane goes last: its prepared hosts take no room from the hosts that it waits for.
  const ready = snapshot.staged.filter(({ isControlPlane }) => !(isControlPlane && snapshot.areWorkersLeft));
  // Hosts that do not answer have as much room as the others, and take none of theirs.
  const room = { up: stageParallel - (preparing - silent), down: stageParallel - silent };
  let canaries = canaryRoom(snapshot, preparing + ready.length);
  let ahead = stageParallel + widthOf(snapshot) - preparing - ready.length;
  return pending.filter(({ isDown }) => {
    const kind = isDown ? 'down' : 'up';
    if (room[kind] <= 0 || canaries <= 0 || (!isDown && ahead <= 0)) return false;
    room[kind] -= 1;
    canaries -= 1;
    ahead -= 1;
    return true;
  });
}

function failureProblem(snapshot: Snapshot, allowed: number): string | undefined {
  const failures = snapshot.failed.length;
  return failures > allowed ? `too_many_failures: ${failures} failed, at most ${allowed} allowed` : undefined;
}

/** What keeps every host from being started. */
function obstacle(snapshot: Snapshot): Decision | undefined {
  const { operation, isHeld, isPartitioned, window } = snapshot;
  const { pause, policy, problem } = operation;
  // Also when all operations are held and released meanwhile.
  if (pause !== null && waitsForAPerson({ pause })) return idle(snapshot, paused(pause, problem));
  if (isHeld) return idle(snapshot, paused('global_pause', ALL_HELD));
  const why = failureProblem(snapshot, failuresAllowed(snapshot));
  if (why !== undefined) {
    if (policy.onFailure === 'pause') return idle(snapshot, paused('failures', why));
    return idle(snapshot, isUnderWay(snapshot) ? { ...RUNNING, problem: why } : failure(why));
  }
  if (!window.isOpen)
    return idle(snapshot, paused('window', 'the window is closed'), { lookAgainAtMs: window.changesAtMs });
  return isPartitioned ? idle(snapshot, paused('partitioned', PARTITIONED)) : undefined;
}

/** No host is left, so it does not matter what has kept the operation from continuing. */
function over(snapshot: Snapshot): Decision {
  const why = failureProblem(snapshot, failuresAccepted(snapshot));
  if (why === undefined) return idle(snapshot, { state: 'finished', pause: null, problem: '' });
  const { policy, pause } = snapshot.operation;
  if (policy.onFailure === 'fail') return idle(snapshot, failure(why));
  // An operation that a person paused is resumed by a person, also after a retry.
  return idle(snapshot, paused(pause === 'manual' ? 'manual' : 'failures', why));
}

/** Nothing is under way, and no host may start: the hosts in the way are waited for, and then the operation fails or pauses. */
function stuck(snapshot: Snapshot, inTheWay: readonly Address[]): Decision {
  const { operation, nowMs, down } = snapshot;
  const { policy } = operation;
  const { sinceMs: waitingSinceMs, untilMs, isOver } = waitFor(snapshot);
  const hosts = nameHosts(inTheWay, down);
  if (!isOver) {
    const lookAgainAtMs = Math.min(untilMs, nowMs + LOOK_AT_DOWN_AGAIN_MS);
    const standing = { ...RUNNING, problem: `waiting for ${hosts}` };
    return idle(snapshot, standing, {
      waitingSinceMs,
      lookAgainAtMs,
      checkAfterMs: beforeStaleMs(snapshot),
    });
  }
  const problem = `budget_exhausted: waited ${policy.timeouts.readyS} s for ${hosts}`;
  return idle(snapshot, policy.onFailure === 'pause' ? paused('budget', problem) : failure(problem));
}

/** Hosts that keep all others from starting. */
function hostsInTheWay(snapshot: Snapshot): readonly Address[] {
  const { down, keeping, untouchable, brokenControlPlane, failed } = snapshot;
  const canaries = canaryRoom(snapshot, 0) <= 0 ? failed : [];
  return [...canaries, ...keeping, ...down.map(({ host }) => host), ...untouchable, ...brokenControlPlane];
}

function decideStarts(snapshot: Snapshot): Decision {
  const { operation, window, unchecked } = snapshot;
  if (operation.state === 'cancelling') {
    const state = snapshot.inFlight.length === 0 ? 'cancelled' : 'cancelling';
    return idle(snapshot, { state, pause: null, problem: operation.problem });
  }
  // Also where nothing is left by what the backup knew: a person has to look first.
  if (operation.pause === 'restored') return idle(snapshot, paused('restored', operation.problem));
  if (!isSomethingLeft(snapshot)) return over(snapshot);
  const stopped = obstacle(snapshot) ?? assessMembers(snapshot);
  if (stopped) return stopped;
  const [roll, prepare] = [rolls(snapshot), preparations(snapshot)];
  const isWaitingForChecks = roll.length === 0 && rolls({ ...snapshot, unchecked: [] }).length > 0;
  if (roll.length + prepare.length === 0 && !isUnderWay(snapshot))
    return isWaitingForChecks ? checkOrGiveUp(snapshot) : stuck(snapshot, hostsInTheWay(snapshot));
  const checked = isWaitingForChecks ? checking(snapshot, unchecked) : idle(snapshot, RUNNING);
  return {
    ...checked,
    prepare: prepare.map(({ host }) => host),
    roll: roll.map(({ host }) => host),
    assessment: 'done',
    waitingSinceMs: null,
    lookAgainAtMs: earliest(checked.lookAgainAtMs, window.changesAtMs),
  };
}

/** Members that cannot be checked are not waited for without end. */
function checkOrGiveUp(snapshot: Snapshot): Decision {
  const { unchecked } = snapshot;
  const { sinceMs, isOver } = waitFor(snapshot);
  return isOver ? stuck(snapshot, unchecked) : { ...checking(snapshot, unchecked), waitingSinceMs: sinceMs };
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Never called for an operation that is over. */
export function decide(snapshot: Snapshot): Decision {
  const decision = decideStarts(snapshot);
  const clear = hostsCleared(snapshot);
  const asking = snapshot.beforeReboot.filter(({ host, isAsking }) => isAsking && !clear.includes(host));
  if (asking.length === 0) return { ...decision, clear };
  const { standing, lookAgainAtMs } = decision;
  const problem = standing.problem || rebootProblem(snapshot, someOf(asking.map(({ host }) => host)));
  return {
    ...decision,
    clear,
    standing: { ...standing, problem },
    checkAfterMs: decision.checkAfterMs ?? beforeStaleMs(snapshot),
    lookAgainAtMs: earliest(lookAgainAtMs, snapshot.nowMs + lookAgainMs(snapshot)),
  };
}
