// The rule: who may start now, or how did it end. One pure function of a snapshot, so that each promise is a row of its table.
//
// Slots in use are hosts in flight, failures that keep theirs, and members that are down, each counted once. A slot is free again when its
// host is done: a sliding window, not batches.

import { someOf } from '../../lib/text/some-of.ts';
import type { Address } from '../addresses/address.ts';
import { failuresAllowed, outOfService, widthOf } from './budget.ts';
import type { Standing } from './operation.ts';
import { ALL_HELD, waitsForAPerson } from './operation.ts';
import type { Candidate, Snapshot } from './snapshot.ts';

export interface Decision {
  /** These are prepared from now on. */
  readonly prepare: readonly Address[];
  /** These get a slot. */
  readonly roll: readonly Address[];
  readonly standing: Standing;
  readonly waitingSinceMs: number | null;
  /** When time alone changes the decision; null: it does not. */
  readonly lookAgainAtMs: number | null;
}

const RUNNING: Standing = { state: 'running', pause: null, problem: '' };

const nothing = (standing: Standing, more: Partial<Decision> = {}): Decision => ({
  prepare: [],
  roll: [],
  standing,
  waitingSinceMs: null,
  lookAgainAtMs: null,
  ...more,
});

const paused = (pause: NonNullable<Standing['pause']>, problem: string): Standing => ({
  state: 'paused',
  pause,
  problem,
});

const failure = (problem: string): Standing => ({ state: 'failed', pause: null, problem });

const isUnderWay = ({ inFlight, preparing }: Snapshot): boolean => inFlight.length + preparing > 0;

const isSomethingLeft = (snapshot: Snapshot): boolean =>
  isUnderWay(snapshot) || snapshot.staged.length + snapshot.pending.length + snapshot.untouchable.length > 0;

/** How many more may begin while the first ones have to prove themselves, alone, when so many are about to. */
function canaryRoom({ operation, proved, failed, inFlight }: Snapshot, aboutTo: number): number {
  const { canary } = operation.policy;
  if (proved >= canary) return Number.POSITIVE_INFINITY;
  return canary - (proved + failed.length + inFlight.length + aboutTo);
}

/** Those that get a slot, the control plane last and one at a time. */
function rolls(snapshot: Snapshot): readonly Candidate[] {
  const { staged, inFlight, down, detached, areWorkersLeft, brokenControlPlane, firstPreparing } = snapshot;
  const used = new Set(outOfService(snapshot));
  // One that uses a slot by itself does not wait for others that only do the same.
  const usedBesides = new Set(
    outOfService({ ...snapshot, down: down.filter(host => !detached.includes(host)) }),
  );
  const width = widthOf(snapshot);
  // More than that may be prepared: one that was set aside is replaced, and comes back.
  let canaries = canaryRoom(snapshot, 0);
  let isControlPlaneFree = !areWorkersLeft && inFlight.length === 0;
  // One whose turn is before will be ready in a moment: the order is kept. One that is held up is not waited for.
  const isOutOfTurn = ({ isDown, position }: Candidate) =>
    !isDown && firstPreparing !== null && firstPreparing < position;
  return staged.filter(candidate => {
    const { host, isDown, isControlPlane } = candidate;
    if (canaries <= 0 || isOutOfTurn(candidate)) return false;
    // One that is down already cannot be made worse by it.
    const isOnlyOne = isDown || brokenControlPlane.every(broken => broken === host);
    if (isControlPlane && !(isControlPlaneFree && isOnlyOne)) return false;
    const inUse = detached.includes(host) ? usedBesides : used;
    if (!isDown && inUse.size >= width) return false;
    if (isControlPlane) isControlPlaneFree = false;
    canaries -= 1;
    used.add(host);
    usedBesides.add(host);
    return true;
  });
}

/**
 * Those whose preparation begins: as many at once as the policy allows, and not further ahead than there are slots. One that is down needs no
 * slot, and may be the very one that keeps those ahead from starting.
 */
function preparations(snapshot: Snapshot): readonly Candidate[] {
  const { operation, preparing, silent, pending } = snapshot;
  const { stageParallel } = operation.policy;
  // The control plane goes last: what of it is prepared already takes no room from those that it waits for.
  const ready = snapshot.staged.filter(({ isControlPlane }) => !(isControlPlane && snapshot.areWorkersLeft));
  // Those that do not answer have as much room as the others, and none of theirs.
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

function failureProblem(snapshot: Snapshot): string | undefined {
  const failures = snapshot.failed.length;
  const allowed = failuresAllowed(snapshot);
  return failures > allowed ? `too_many_failures: ${failures} of at most ${allowed}` : undefined;
}

/** What keeps anything from being started, whoever is next. */
function obstacle(snapshot: Snapshot): Decision | undefined {
  const { operation, isHeld, window } = snapshot;
  const { pause, policy, problem } = operation;
  // Also when all operations are held and released meanwhile.
  if (pause !== null && waitsForAPerson({ pause })) return nothing(paused(pause, problem));
  if (isHeld) return nothing(paused('held', ALL_HELD));
  const why = failureProblem(snapshot);
  if (why !== undefined) {
    if (policy.onFailure === 'pause') return nothing(paused('failures', why));
    return nothing(isUnderWay(snapshot) ? { ...RUNNING, problem: why } : failure(why));
  }
  if (!window.isOpen)
    return nothing(paused('window', 'the window is closed'), { lookAgainAtMs: window.changesAtMs });
  return undefined;
}

/** No host is left, so whatever has kept it from going on does not count any more. */
function over(snapshot: Snapshot): Decision {
  const why = failureProblem(snapshot);
  if (why === undefined) return nothing({ state: 'finished', pause: null, problem: '' });
  const { policy, pause } = snapshot.operation;
  if (policy.onFailure === 'fail') return nothing(failure(why));
  // Who has paused it by hand has to resume it by hand, also after a retry.
  return nothing(paused(pause === 'manual' ? 'manual' : 'failures', why));
}

/** Nothing is under way, and nobody may start: the hosts in the way are waited for, and then it is as if they had failed. */
function stuck(snapshot: Snapshot): Decision {
  const { operation, nowMs, down, keeping, untouchable, brokenControlPlane } = snapshot;
  const { policy } = operation;
  const canaries = canaryRoom(snapshot, 0) <= 0 ? snapshot.failed : [];
  const inTheWay = new Set([...canaries, ...keeping, ...down, ...untouchable, ...brokenControlPlane]);
  // A clock that was set back makes nobody wait longer.
  const waitingSinceMs = Math.min(operation.waitingSinceMs ?? nowMs, nowMs);
  const untilMs = waitingSinceMs + policy.timeouts.readyS * 1000;
  const hosts = someOf([...inTheWay]);
  if (nowMs < untilMs) {
    const problem = `waits for ${hosts}`;
    return nothing({ ...RUNNING, problem }, { waitingSinceMs, lookAgainAtMs: untilMs });
  }
  const problem = `budget_exhausted: in the way: ${hosts}`;
  return nothing(policy.onFailure === 'pause' ? paused('budget', problem) : failure(problem));
}

/** Never called for an operation that is over. */
export function decide(snapshot: Snapshot): Decision {
  const { operation, window } = snapshot;
  if (operation.state === 'cancelling') {
    const state = snapshot.inFlight.length === 0 ? 'cancelled' : 'cancelling';
    return nothing({ state, pause: null, problem: operation.problem });
  }
  // Also where nothing is left by what the backup knew: a person has to look first.
  if (operation.pause === 'restored') return nothing(paused('restored', operation.problem));
  if (!isSomethingLeft(snapshot)) return over(snapshot);
  const stopped = obstacle(snapshot);
  if (stopped) return stopped;
  const [roll, prepare] = [rolls(snapshot), preparations(snapshot)];
  if (roll.length + prepare.length === 0 && !isUnderWay(snapshot)) return stuck(snapshot);
  return {
    prepare: prepare.map(({ host }) => host),
    roll: roll.map(({ host }) => host),
    standing: RUNNING,
    waitingSinceMs: null,
    lookAgainAtMs: window.changesAtMs,
  };
}
