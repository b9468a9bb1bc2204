import type { Address } from '../addresses/address.ts';
import { describeHosts } from './outage.ts';
import { resolveHostAmount } from './policy.ts';
import type { PendingReboot, RolloutSnapshot } from './snapshot.ts';

/** 1, 2, 4, …: the limit doubles when that many hosts are verified. */
const rampLimit = (verified: number): number => 2 ** Math.floor(Math.log2(verified + 1));

export function currentMaxUnavailable({
  operation,
  memberCount,
  verifiedCount,
}: Pick<RolloutSnapshot, 'operation' | 'memberCount' | 'verifiedCount'>): number {
  const { maxUnavailable, ramp } = operation.policy;
  const limit = resolveHostAmount(maxUnavailable, memberCount, { atLeast: 1 });
  return ramp ? Math.min(limit, rampLimit(verifiedCount)) : limit;
}

/** Hosts that are unavailable because of the operation or for another reason, each counted once. */
export const unavailableHosts = ({
  inFlight,
  holdingSlot,
  outages,
}: Pick<RolloutSnapshot, 'inFlight' | 'holdingSlot' | 'outages'>): ReadonlySet<Address> =>
  new Set([...inFlight, ...holdingSlot, ...outages.map(({ host }) => host)]);

/** No further host starts when more hosts than this have failed. */
export const maxFailuresToContinue = ({ operation }: Pick<RolloutSnapshot, 'operation'>): number =>
  resolveHostAmount(operation.policy.maxFailures, operation.hostCount, { atLeast: 0 }) + operation.acknowledgedFailures;

/** An operation with more failures ends as failed. A retry continues despite failures, but does not accept them. */
export const maxFailuresToFinish = ({ operation }: Pick<RolloutSnapshot, 'operation'>): number =>
  resolveHostAmount(operation.policy.maxFailures, operation.hostCount, { atLeast: 0 }) + operation.acceptedFailures;

export interface Budget {
  readonly maxUnavailable: number;
  readonly unavailable: number;
  readonly maxFailures: number;
  readonly failed: number;
}

export type BudgetInput = Pick<
  RolloutSnapshot,
  'operation' | 'memberCount' | 'verifiedCount' | 'inFlight' | 'holdingSlot' | 'outages' | 'failed'
>;

export const currentBudget = (input: BudgetInput): Budget => ({
  maxUnavailable: currentMaxUnavailable(input),
  unavailable: unavailableHosts(input).size,
  maxFailures: maxFailuresToContinue(input),
  failed: input.failed.length,
});

// Checked again before a host reboots: draining or upgrading takes long, and other members may have failed since.

/**
 * Responding hosts in flight that come later in the plan and have not rebooted do not count; otherwise two hosts would
 * wait for each other.
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

/** Every other member has responded recently or is known to be out of service, and a slot is free. */
export function hostsClearedToReboot(snapshot: RolloutSnapshot): readonly Address[] {
  if (snapshot.isPartitioned) return [];
  const maxUnavailable = currentMaxUnavailable(snapshot);
  const cleared: Address[] = [];
  for (const pending of snapshot.pendingReboots) {
    if (!pending.awaitsRebootClearance || snapshot.unchecked.some(other => other !== pending.host)) continue;
    if (unavailableOthers(snapshot, pending, cleared).size < maxUnavailable) cleared.push(pending.host);
  }
  return cleared;
}

export function describeRebootWait(snapshot: RolloutSnapshot, hosts: string): string {
  const { isPartitioned, unchecked, outages, holdingSlot } = snapshot;
  if (isPartitioned) return `the reboot of ${hosts} is waiting: no server reaches most hosts`;
  if (unchecked.length > 0) return `before the reboot of ${hosts}: checking ${describeHosts(unchecked, outages)}`;
  const others = [...outages.map(({ host }) => host), ...holdingSlot];
  return `the reboot of ${hosts} is waiting for ${describeHosts(others, outages) || 'hosts that reboot first'}`;
}
