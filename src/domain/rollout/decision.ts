import type { Address } from '../addresses/address.ts';
import { REFRESH_FRACTION } from './freshness.ts';
import type { Assessment, OperationStatus } from './operation.ts';
import type { Outage } from './outage.ts';
import { describeHosts } from './outage.ts';
import type { RolloutSnapshot } from './snapshot.ts';

export interface RolloutDecision {
  readonly stage: readonly Address[];
  /** Hosts that get a slot. */
  readonly start: readonly Address[];
  /** Hosts in flight that may reboot. */
  readonly clearToReboot: readonly Address[];
  /** Ignored by the operation from now on. */
  readonly exclude: readonly Outage[];
  readonly blockedBy: readonly Outage[];
  /** Members with an older last contact are checked now; null: no checks. */
  readonly checkAfterMs: number | null;
  readonly assessment: Assessment;
  readonly status: OperationStatus;
  readonly blockedSinceMs: number | null;
  /** When the decision can change by time alone; null: never. */
  readonly reconcileAtMs: number | null;
}

export const RUNNING: OperationStatus = { state: 'running', pause: null, problem: '' };

/** While the operation waits for hosts that are down. */
export const BLOCKED_RECHECK_MS = 10_000;

/**
 * While decisions wait for health checks: 500 ms with the small freshness window, because a check takes less than a
 * second.
 */
export const recheckIntervalMs = ({ freshnessMs }: Pick<RolloutSnapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs / 30);

export const isInProgress = ({ inFlight, preparingCount }: RolloutSnapshot): boolean =>
  inFlight.length + preparingCount > 0;

export const startNothing = (
  { operation }: Pick<RolloutSnapshot, 'operation'>,
  status: OperationStatus,
  changes: Partial<RolloutDecision> = {},
): RolloutDecision => ({
  stage: [],
  start: [],
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

/** Members are checked before their responses become stale, so that all can be fresh at the same time. */
export const refreshAfterMs = ({ freshnessMs }: Pick<RolloutSnapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs * REFRESH_FRACTION);

export const checkingText = (hosts: readonly Address[], down: readonly Outage[]): string =>
  `checking ${describeHosts(hosts, down)}`;

export const waitForHealthChecks = (
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

/** A clock that was set back does not extend the wait. */
export function blockedPeriod({ operation, nowMs }: Pick<RolloutSnapshot, 'operation' | 'nowMs'>): {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly isOver: boolean;
} {
  const sinceMs = Math.min(operation.blockedSinceMs ?? nowMs, nowMs);
  const untilMs = sinceMs + operation.policy.timeouts.readyS * 1000;
  return { sinceMs, untilMs, isOver: nowMs >= untilMs };
}
