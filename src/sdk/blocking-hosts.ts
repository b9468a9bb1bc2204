// Unavailable members that use all slots of an operation, and the policy fields that help. All functions are pure.

import type { Static } from 'typebox';
import type { Outage as OutageSchema } from '../contract/fields.ts';
import type { Policy, PolicyFields } from '../contract/policy.ts';
import type { OutageReason } from '../domain/vocabulary.ts';
import { utcTime } from './format.ts';
import { formatHost } from './host-progress.ts';
import type { OperationWait } from './operation-progress.ts';

export type Outage = Static<typeof OutageSchema>;
type EffectivePolicy = Static<typeof Policy>;

const OUTAGE_REASON_TEXTS: Readonly<Record<OutageReason, string>> = {
  maintenance: 'is in maintenance',
  unreachable: 'is unreachable',
  failed: 'has status failed',
  investigating: 'is being investigated',
  bootstrapping: 'is being bootstrapped',
  disassociated: 'is not registered with its container manager',
};

export const formatOutageReason = (reason: OutageReason): string => OUTAGE_REASON_TEXTS[reason];

/** `edge-2 (127.0.0.2) is unreachable (since 2026-11-16 12:03:05 UTC: connection refused)`. */
export function formatOutage({ address, hostname, reason, detail, since }: Outage): string {
  const details = [since === null ? '' : `since ${utcTime(since)}`, detail].filter(Boolean).join(': ');
  return `${formatHost({ hostname, address })} ${formatOutageReason(reason)}${details === '' ? '' : ` (${details})`}`;
}

/** Converts a number of hosts or a percentage of the members, rounded down, at least 1. */
export function toHostCount(amount: number | string, members: number): number {
  if (typeof amount === 'number') return amount;
  return Math.max(1, Math.floor((members * Number.parseInt(amount, 10)) / 100));
}

export const formatHostCount = (count: number): string => `${count} host${count === 1 ? '' : 's'}`;

export interface ReachedLimit {
  readonly name: 'max_unavailable' | 'max_excluded';
  readonly amount: number | string;
  /** The limit as a number of hosts; `undefined` if it is unknown. */
  readonly allowed: number | undefined;
}

/** `1`, `25% (2 hosts)`, or `25%` if the number of hosts is unknown. */
export function formatLimit({ amount, allowed }: Pick<ReachedLimit, 'amount' | 'allowed'>): string {
  if (allowed === undefined) return String(amount);
  return typeof amount === 'number' ? String(allowed) : `${amount} (${formatHostCount(allowed)})`;
}

export const formatAmount = (amount: number | string, members: number): string =>
  formatLimit({ amount, allowed: toHostCount(amount, members) });

export interface Remedies {
  /** Excludes the blocking hosts. `max_excluded` is set only if the policy allows fewer. */
  readonly exclude: Pick<PolicyFields, 'unhealthy' | 'max_excluded'>;
  /** Allows one more unavailable host. `undefined` with a ramp, which starts with one host for any limit. */
  readonly raise: (Pick<PolicyFields, 'unhealthy'> & { readonly max_unavailable: number }) | undefined;
  /** `undefined` if the operation would fail without waiting because too many hosts would be excluded. */
  readonly wait: Pick<PolicyFields, 'wait'> | undefined;
}

export interface BlockedStart {
  readonly policy: Pick<EffectivePolicy, 'unhealthy' | 'max_excluded' | 'max_unavailable' | 'ramp'>;
  readonly blocked_by: readonly unknown[];
  readonly members: number;
}

export const exceedsMaxExcluded = ({ policy, blocked_by, members }: BlockedStart): boolean =>
  blocked_by.length > toHostCount(policy.max_excluded, members);

export function findReachedLimit({ policy, members }: BlockedStart): ReachedLimit & { readonly allowed: number } {
  const name = policy.unhealthy === 'exclude' ? 'max_excluded' : 'max_unavailable';
  const amount = name === 'max_unavailable' && policy.ramp ? 1 : policy[name];
  return { name, amount, allowed: toHostCount(amount, members) };
}

/** `uses the only slot (max_unavailable 1)`, `use all slots (max_unavailable 25%: 2 hosts)` or `exceed max_excluded 1` */
export function formatBlockedEffect(start: BlockedStart): string {
  const limit = findReachedLimit(start);
  const { name, amount, allowed } = limit;
  const isOne = start.blocked_by.length === 1;
  if (name === 'max_excluded') return `${isOne ? 'exceeds' : 'exceed'} ${name} ${formatLimit(limit)}`;
  const slots = typeof amount === 'number' ? amount : `${amount}: ${formatHostCount(allowed)}`;
  return `${isOne ? 'uses the only slot' : 'use all slots'} (${name} ${slots})`;
}

export function findRemedies(start: BlockedStart): Remedies {
  const { policy, blocked_by } = start;
  const isExcluding = policy.unhealthy === 'exclude';
  return {
    exclude: { unhealthy: 'exclude', ...(exceedsMaxExcluded(start) && { max_excluded: blocked_by.length }) },
    raise: policy.ramp
      ? undefined
      : { ...(isExcluding && { unhealthy: 'count' as const }), max_unavailable: blocked_by.length + 1 },
    wait: isExcluding ? undefined : { wait: true },
  };
}

export function getBlockedStartEffect(policy: Pick<EffectivePolicy, 'unhealthy' | 'wait' | 'on_failure'>) {
  if (policy.unhealthy === 'exclude') return 'fail';
  return policy.wait ? 'wait' : policy.on_failure;
}

const BLOCKED_PROBLEM = /^(?:budget_exhausted|too_many_unhealthy)\b/;

/** Whether unavailable hosts have stopped an operation: it has failed, or it is paused until a user decides. */
export const isStoppedByOutages = ({ state, paused_by, problem }: OperationWait): boolean =>
  (state === 'failed' && BLOCKED_PROBLEM.test(problem)) || paused_by === 'budget';
