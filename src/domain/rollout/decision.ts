import type { Address } from '../addresses/address.ts';
import type { Assessment, OperationStatus } from './operation.ts';
import type { Outage } from './outage.ts';
import { describeHosts, REFRESH_FRACTION } from './outage.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** What follows from a snapshot of an operation. */
export interface RolloutDecision {
  /** Hosts whose preparation starts. */
  readonly stage: readonly Address[];
  /** Hosts that get a slot. */
  readonly roll: readonly Address[];
  /** Hosts in flight that may be sent their reboot. */
  readonly clearToReboot: readonly Address[];
  /** Members that are left out because they are unhealthy. */
  readonly exclude: readonly Outage[];
  /** Members that keep the operation from starting. */
  readonly blockedBy: readonly Outage[];
  /** Members are checked now whose last contact is longer ago than this; null: none are. */
  readonly checkAfterMs: number | null;
  readonly assessment: Assessment;
  readonly status: OperationStatus;
  readonly blockedSinceMs: number | null;
  /** When time alone changes the decision; null: it does not. */
  readonly reconcileAtMs: number | null;
}

export const RUNNING: OperationStatus = { state: 'running', pause: null, problem: '' };

/** While a decision waits for hosts that are down, it is repeated after this time. */
export const BLOCKED_RECHECK_MS = 10_000;

/**
 * While a decision waits for checks of hosts, it is repeated after this time: half a second, since a check takes less than a second. In a large
 * cluster, with a longer window, a decision takes longer.
 */
export const recheckIntervalMs = ({ freshnessMs }: Pick<RolloutSnapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs / 30);

export const isInProgress = ({ inFlight, preparingCount }: RolloutSnapshot): boolean =>
  inFlight.length + preparingCount > 0;

/** Nothing is started. */
export const startNothing = (
  { operation }: Pick<RolloutSnapshot, 'operation'>,
  status: OperationStatus,
  changes: Partial<RolloutDecision> = {},
): RolloutDecision => ({
  stage: [],
  roll: [],
  clearToReboot: [],
  exclude: [],
  blockedBy: [],
  checkAfterMs: null,
  assessment: operation.assessment,
  status,
  blockedSinceMs: null,
  reconcileAtMs: null,
  ...changes,
});

/** Members are checked before they are stale, so that all of them can be fresh at the same time. */
export const refreshAfterMs = ({ freshnessMs }: Pick<RolloutSnapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs * REFRESH_FRACTION);

export const checkingText = (hosts: readonly Address[], down: readonly Outage[]): string =>
  `checking ${describeHosts(hosts, down)}`;

/** Nothing is started until these members have been checked. */
export const checkFirst = (
  snapshot: RolloutSnapshot,
  hosts: readonly Address[],
  checkAfterMs = refreshAfterMs(snapshot),
): RolloutDecision =>
  startNothing(
    snapshot,
    { ...RUNNING, problem: checkingText(hosts, snapshot.outages) },
    {
      checkAfterMs: Math.min(checkAfterMs, snapshot.nowMs - snapshot.respondedSinceMs),
      reconcileAtMs: snapshot.nowMs + recheckIntervalMs(snapshot),
    },
  );

/** Since when the operation waits, if it waits, and whether that is longer than `timeouts.ready`. A clock that was set back does not extend the wait. */
export function blockedPeriod({ operation, nowMs }: Pick<RolloutSnapshot, 'operation' | 'nowMs'>): {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly isOver: boolean;
} {
  const sinceMs = Math.min(operation.blockedSinceMs ?? nowMs, nowMs);
  const untilMs = sinceMs + operation.policy.timeouts.readyS * 1000;
  return { sinceMs, untilMs, isOver: nowMs >= untilMs };
}
