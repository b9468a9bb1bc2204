import type { Address } from '../addresses/address.ts';
import { describeHosts } from './outage.ts';
import { resolveHostAmount } from './policy.ts';
import type { PendingReboot, RolloutSnapshot } from './snapshot.ts';

/** 1, 2, 4, …: it doubles when as many as it allows have been proved. */
const rampLimit = (verified: number): number => 2 ** Math.floor(Math.log2(verified + 1));

/** How many hosts may be out of service at once. */
export function currentMaxUnavailable({
  operation,
  members,
  verified,
}: Pick<RolloutSnapshot, 'operation' | 'members' | 'verified'>): number {
  const { maxUnavailable, ramp } = operation.policy;
  const limit = resolveHostAmount(maxUnavailable, members, { atLeast: 1 });
  return ramp ? Math.min(limit, rampLimit(verified)) : limit;
}

/** Hosts that are out of service, by us or by themselves, each once. */
export const unavailableHosts = ({
  inFlight,
  holdingSlot,
  outages,
}: Pick<RolloutSnapshot, 'inFlight' | 'holdingSlot' | 'outages'>): ReadonlySet<Address> =>
  new Set([...inFlight, ...holdingSlot, ...outages.map(({ host }) => host)]);

/** How many hosts may have failed before no further host is started. */
export const maxFailuresToContinue = ({ operation }: Pick<RolloutSnapshot, 'operation'>): number =>
  resolveHostAmount(operation.policy.maxFailures, operation.hostCount, { atLeast: 0 }) +
  operation.acknowledgedFailures;

/** How many hosts may have failed in an operation that is finished. A retry starts hosts despite failures, and accepts none of them. */
export const maxFailuresToFinish = ({ operation }: Pick<RolloutSnapshot, 'operation'>): number =>
  resolveHostAmount(operation.policy.maxFailures, operation.hostCount, { atLeast: 0 }) +
  operation.acceptedFailures;

/** What of the policy's amounts is used. */
export interface Budget {
  readonly maxUnavailable: number;
  readonly unavailable: number;
  readonly maxFailures: number;
  readonly failed: number;
}

export type BudgetInput = Pick<
  RolloutSnapshot,
  'operation' | 'members' | 'verified' | 'inFlight' | 'holdingSlot' | 'outages' | 'failed'
>;

/** The amounts as the rule has them at this moment, and what it counts. */
export const currentBudget = (input: BudgetInput): Budget => ({
  maxUnavailable: currentMaxUnavailable(input),
  unavailable: unavailableHosts(input).size,
  maxFailures: maxFailuresToContinue(input),
  failed: input.failed.length,
});

// The budget is checked once more before a host reboots: a drain or an upgrade takes long, and other members may have failed meanwhile.

/**
 * Hosts that would be out of service beside this one if it rebooted now. Of hosts in flight that have not rebooted either, those that answer
 * and come later in the plan do not count: else two hosts would wait for each other.
 */
function unavailableOthers(
  snapshot: RolloutSnapshot,
  { host, position }: PendingReboot,
  clearedHosts: readonly Address[],
): ReadonlySet<Address> {
  const later = new Set(
    snapshot.pendingReboots
      .filter(other => other.position > position && other.hasResponded && !clearedHosts.includes(other.host))
      .map(other => other.host),
  );
  const down = new Set(snapshot.outages.map(outage => outage.host));
  return new Set(
    [...unavailableHosts(snapshot)].filter(other => other !== host && (down.has(other) || !later.has(other))),
  );
}

/** Hosts that ask to reboot, and may: every other member is known to answer or to be out of service, and the others leave a slot. */
export function hostsClearedToReboot(snapshot: RolloutSnapshot): readonly Address[] {
  if (snapshot.isPartitioned) return [];
  const maxUnavailable = currentMaxUnavailable(snapshot);
  const cleared: Address[] = [];
  for (const pending of snapshot.pendingReboots) {
    if (!pending.asksToReboot || snapshot.unchecked.some(other => other !== pending.host)) continue;
    if (unavailableOthers(snapshot, pending, cleared).size < maxUnavailable) cleared.push(pending.host);
  }
  return cleared;
}

/** Why hosts that ask to reboot have to wait. */
export function describeRebootWait(snapshot: RolloutSnapshot, hosts: string): string {
  const { isPartitioned, unchecked, outages, holdingSlot } = snapshot;
  if (isPartitioned) return `the reboot of ${hosts} is waiting: no server reaches most hosts`;
  if (unchecked.length > 0)
    return `before the reboot of ${hosts}: checking ${describeHosts(unchecked, outages)}`;
  const others = [...outages.map(({ host }) => host), ...holdingSlot];
  return `the reboot of ${hosts} is waiting for ${describeHosts(others, outages) || 'hosts that reboot first'}`;
}
