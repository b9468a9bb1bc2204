import type { Address } from '../addresses/address.ts';
import { CHECK_AT } from './freshness.ts';
import type { Assessment, Standing } from './operation.ts';
import type { Outage } from './outage.ts';
import { nameHosts } from './outage.ts';
import type { Snapshot } from './snapshot.ts';

/** What follows from a snapshot of an operation. */
export interface Decision {
  /** Hosts whose preparation starts. */
  readonly prepare: readonly Address[];
  /** Hosts that get a slot. */
  readonly roll: readonly Address[];
  /** Hosts in flight that may be sent their reboot. */
  readonly clear: readonly Address[];
  /** Members that are left out because they are unhealthy. */
  readonly exclude: readonly Outage[];
  /** Members that keep the operation from starting. */
  readonly blockedBy: readonly Outage[];
  /** Members are checked now whose last contact is longer ago than this; null: none are. */
  readonly checkAfterMs: number | null;
  readonly assessment: Assessment;
  readonly standing: Standing;
  readonly waitingSinceMs: number | null;
  /** When time alone changes the decision; null: it does not. */
  readonly lookAgainAtMs: number | null;
}

export const RUNNING: Standing = { state: 'running', pause: null, problem: '' };

/** While a decision waits for hosts that are down, it is repeated after this time. */
export const LOOK_AT_DOWN_AGAIN_MS = 10_000;

/**
 * While a decision waits for checks of hosts, it is repeated after this time: half a second, since a check takes less than a second. In a large
 * cluster, with a longer window, a decision takes longer.
 */
export const lookAgainMs = ({ freshnessMs }: Pick<Snapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs / 30);

export const isUnderWay = ({ inFlight, preparing }: Snapshot): boolean => inFlight.length + preparing > 0;

/** Nothing is started. */
export const idle = (
  { operation }: Pick<Snapshot, 'operation'>,
  standing: Standing,
  more: Partial<Decision> = {},
): Decision => ({
  prepare: [],
  roll: [],
  clear: [],
  exclude: [],
  blockedBy: [],
  checkAfterMs: null,
  assessment: operation.assessment,
  standing,
  waitingSinceMs: null,
  lookAgainAtMs: null,
  ...more,
});

/** Members are checked before they are stale, so that all of them can be fresh at the same time. */
export const beforeStaleMs = ({ freshnessMs }: Pick<Snapshot, 'freshnessMs'>): number =>
  Math.round(freshnessMs * CHECK_AT);

export const checkingText = (hosts: readonly Address[], down: readonly Outage[]): string =>
  `checking ${nameHosts(hosts, down)}`;

/** Nothing is started until these members have been checked. */
export const checking = (
  snapshot: Snapshot,
  hosts: readonly Address[],
  checkAfterMs = beforeStaleMs(snapshot),
): Decision =>
  idle(
    snapshot,
    { ...RUNNING, problem: checkingText(hosts, snapshot.down) },
    {
      checkAfterMs: Math.min(checkAfterMs, snapshot.nowMs - snapshot.answeredSinceMs),
      lookAgainAtMs: snapshot.nowMs + lookAgainMs(snapshot),
    },
  );

/** Since when the operation waits, if it waits, and whether that is longer than `timeouts.ready`. A clock that was set back does not extend the wait. */
export function waitFor({ operation, nowMs }: Pick<Snapshot, 'operation' | 'nowMs'>): {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly isOver: boolean;
} {
  const sinceMs = Math.min(operation.waitingSinceMs ?? nowMs, nowMs);
  const untilMs = sinceMs + operation.policy.timeouts.readyS * 1000;
  return { sinceMs, untilMs, isOver: nowMs >= untilMs };
}
