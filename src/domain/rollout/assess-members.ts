// Members that were out of service before the operation: it fails, excludes them, or starts despite them.

import type { Address } from '../addresses/address.ts';
import { currentMaxUnavailable, unavailableHosts } from './budget.ts';
import type { RolloutDecision } from './decision.ts';
import { blockedPeriod, isInProgress, RUNNING, startNothing, waitForHealthChecks } from './decision.ts';
import type { Outage } from './outage.ts';
import { describeHosts, isBlocking } from './outage.ts';
import type { Policy } from './policy.ts';
import { resolveHostAmount } from './policy.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** Until hosts that failed a check respond or are confirmed to be down. */
const CONFIRM_INTERVAL_MS = 4000;

const hostsOf = (outages: readonly Outage[]): readonly Address[] => outages.map(({ host }) => host);

const unconfirmed = ({ outages }: RolloutSnapshot): readonly Address[] =>
  hostsOf(outages.filter(({ isConfirmed }) => !isConfirmed));

/** `undefined`: hosts may start as far as the budget allows. Hosts in flight continue. */
export function assessMembers(snapshot: RolloutSnapshot): RolloutDecision | undefined {
  const { assessment, policy } = snapshot.operation;
  if (assessment === 'done' || isInProgress(snapshot)) return undefined;
  const isExcluding = policy.unhealthy === 'exclude' && assessment === 'initial';
  const toCheck = [...snapshot.unchecked, ...(isExcluding || isBudgetExhausted(snapshot) ? unconfirmed(snapshot) : [])];
  if (toCheck.length > 0) return waitForChecks(snapshot, toCheck);
  return isExcluding ? assessExclusion(snapshot) : assessBudget(snapshot);
}

const isBudgetExhausted = (snapshot: RolloutSnapshot): boolean =>
  unavailableHosts(snapshot).size >= currentMaxUnavailable(snapshot);

/** `undefined` after the timeout: then the usual rules apply. */
function waitForChecks(snapshot: RolloutSnapshot, toCheck: readonly Address[]): RolloutDecision | undefined {
  const { sinceMs, isOver } = blockedPeriod(snapshot);
  return isOver
    ? undefined
    : { ...waitForHealthChecks(snapshot, toCheck, CONFIRM_INTERVAL_MS), blockedSinceMs: sinceMs };
}

function assessExclusion(snapshot: RolloutSnapshot): RolloutDecision | undefined {
  const { operation, outages, memberCount, nowMs } = snapshot;
  if (outages.length === 0) return undefined;
  const limit = resolveHostAmount(operation.policy.maxExcluded, memberCount, { atLeast: 1 });
  if (outages.length > limit) {
    const problem = `too_many_unhealthy: ${outages.length} members are unavailable, but max_excluded allows ${limit}: ${describeHosts(hostsOf(outages), outages)}`;
    return startNothing(snapshot, { state: 'failed', pause: null, problem }, { blockedBy: outages });
  }
  return startNothing(snapshot, RUNNING, { exclude: outages, assessment: 'done', reconcileAtMs: nowMs });
}

function assessBudget(snapshot: RolloutSnapshot): RolloutDecision | undefined {
  const { operation, outages, holdingSlot } = snapshot;
  const { policy } = operation;
  const maxUnavailable = currentMaxUnavailable(snapshot);
  const blockedBy = outages.filter(isBlocking);
  const blocking = new Set([...hostsOf(blockedBy), ...holdingSlot]);
  if (policy.wait || blocking.size < maxUnavailable) return undefined;
  const slots = blocking.size === 1 ? 'uses the only slot' : 'use all slots';
  const used = `${describeHosts(blocking, outages)} ${slots} (max_unavailable ${maxUnavailable})`;
  const problem = `budget_exhausted: ${used}; ${describeRemedies(policy, blockedBy.length > 0, holdingSlot)}`;
  return startNothing(
    snapshot,
    policy.onFailure === 'pause'
      ? { state: 'paused', pause: 'budget', problem }
      : { state: 'failed', pause: null, problem },
    { blockedBy },
  );
}

/** A failed host that holds its slot is not an outage: the remedy is to retry or skip it. */
function describeRemedies({ ramp }: Policy, areMembersDown: boolean, holdingSlot: readonly Address[]): string {
  const failed = holdingSlot.length > 0 ? `retry or skip ${describeHosts(holdingSlot, [])}` : '';
  // A ramp starts with one host, regardless of the limit.
  const raise = ramp ? '' : ' raise max_unavailable,';
  const unhealthy = areMembersDown
    ? `exclude unhealthy hosts (unhealthy: exclude),${raise} or wait for them (wait: true)`
    : '';
  return [failed, unhealthy].filter(text => text !== '').join('; ');
}

interface BeforeStart {
  readonly policy: Policy;
  readonly members: number;
  readonly outages: readonly Outage[];
}

/** From the records only: no host is checked. */
export function expectedBlockers({ policy, members, outages }: BeforeStart): readonly Outage[] {
  if (policy.unhealthy === 'exclude') {
    const limit = resolveHostAmount(policy.maxExcluded, members, { atLeast: 1 });
    const unhealthy = outages.filter(outage => outage.isConfirmed);
    return unhealthy.length > limit ? unhealthy : [];
  }
  const blocking = outages.filter(isBlocking);
  const maxUnavailable = policy.ramp ? 1 : resolveHostAmount(policy.maxUnavailable, members, { atLeast: 1 });
  return blocking.length >= maxUnavailable ? blocking : [];
}
