// What an operation does about members that were out of service before it: it fails at once, leaves them out, or starts despite them.

import type { Address } from '../addresses/address.ts';
import { outOfService, widthOf } from './budget.ts';
import type { Decision } from './decision.ts';
import { checking, idle, isUnderWay, RUNNING, waitFor } from './decision.ts';
import type { Outage } from './outage.ts';
import { isBlocking, nameHosts } from './outage.ts';
import type { Policy } from './policy.ts';
import { amountOf } from './policy.ts';
import type { Snapshot } from './snapshot.ts';

/** Hosts that have failed a check are checked again after this time, until they answer or are certain not to. */
const CONFIRM_EVERY_MS = 4000;

const hostsOf = (outages: readonly Outage[]): readonly Address[] => outages.map(({ host }) => host);

const unconfirmed = ({ down }: Snapshot): readonly Address[] =>
  hostsOf(down.filter(({ isConfirmed }) => !isConfirmed));

/**
 * Decides what to do about members that were out of service before the operation; every member is checked first. `undefined`: hosts may be
 * started as far as the budget allows. What is under way is not stopped.
 */
export function assessMembers(snapshot: Snapshot): Decision | undefined {
  const { assessment, policy } = snapshot.operation;
  if (assessment === 'done' || isUnderWay(snapshot)) return undefined;
  const isExcluding = policy.unhealthy === 'exclude' && assessment === 'first';
  const uncertain = [
    ...snapshot.unchecked,
    ...(isExcluding || isUsedUp(snapshot) ? unconfirmed(snapshot) : []),
  ];
  if (uncertain.length > 0) return waitForChecks(snapshot, uncertain);
  return isExcluding ? assessExclusion(snapshot) : assessBudget(snapshot);
}

const isUsedUp = (snapshot: Snapshot): boolean => outOfService(snapshot).size >= widthOf(snapshot);

/** `undefined` when the members could not be checked in time: then the usual rules apply. */
function waitForChecks(snapshot: Snapshot, uncertain: readonly Address[]): Decision | undefined {
  const { sinceMs, isOver } = waitFor(snapshot);
  return isOver ? undefined : { ...checking(snapshot, uncertain, CONFIRM_EVERY_MS), waitingSinceMs: sinceMs };
}

/** Members are excluded once. */
function assessExclusion(snapshot: Snapshot): Decision | undefined {
  const { operation, down, members, nowMs } = snapshot;
  if (down.length === 0) return undefined;
  const limit = amountOf(operation.policy.maxExcluded, members, { atLeast: 1 });
  if (down.length > limit) {
    const problem = `too_many_unhealthy: ${down.length} members are unavailable, but max_excluded allows ${limit}: ${nameHosts(hostsOf(down), down)}`;
    return idle(snapshot, { state: 'failed', pause: null, problem }, { blockedBy: down });
  }
  return idle(snapshot, RUNNING, { exclude: down, assessment: 'done', lookAgainAtMs: nowMs });
}

function assessBudget(snapshot: Snapshot): Decision | undefined {
  const { operation, down, keeping } = snapshot;
  const { policy } = operation;
  const width = widthOf(snapshot);
  const blockedBy = down.filter(isBlocking);
  const blocking = new Set([...hostsOf(blockedBy), ...keeping]);
  if (policy.wait || blocking.size < width) return undefined;
  const slots = blocking.size === 1 ? 'uses the only slot' : 'use all slots';
  const used = `${nameHosts(blocking, down)} ${slots} (max_unavailable ${width})`;
  const problem = `budget_exhausted: ${used}; ${waysOut(policy, blockedBy.length > 0, keeping)}`;
  return idle(
    snapshot,
    policy.onFailure === 'pause'
      ? { state: 'paused', pause: 'budget', problem }
      : { state: 'failed', pause: null, problem },
    { blockedBy },
  );
}

/** A failed host that keeps its slot is not out of service: it is retried or skipped. */
function waysOut({ ramp }: Policy, areMembersDown: boolean, keeping: readonly Address[]): string {
  const failed = keeping.length > 0 ? `retry or skip ${nameHosts(keeping, [])}` : '';
  // A ramp starts with one host, regardless of the limit.
  const raise = ramp ? '' : ' raise max_unavailable,';
  const unhealthy = areMembersDown
    ? `exclude unhealthy hosts (unhealthy: exclude),${raise} or wait for them (wait: true)`
    : '';
  return [failed, unhealthy].filter(text => text !== '').join('; ');
}

/** What is known of a cluster before an operation on it starts. */
interface BeforeStart {
  readonly policy: Policy;
  readonly members: number;
  readonly outages: readonly Outage[];
}

/** Members that would keep an operation from starting, by the records alone: no host is checked. */
export function expectedBlockers({ policy, members, outages }: BeforeStart): readonly Outage[] {
  if (policy.unhealthy === 'exclude') {
    const limit = amountOf(policy.maxExcluded, members, { atLeast: 1 });
    const unhealthy = outages.filter(outage => outage.isConfirmed);
    return unhealthy.length > limit ? unhealthy : [];
  }
  const blocking = outages.filter(isBlocking);
  const width = policy.ramp ? 1 : amountOf(policy.maxUnavailable, members, { atLeast: 1 });
  return blocking.length >= width ? blocking : [];
}
