import { findReachedLimit, getBlockedStartEffect } from '#sdk/blocking-hosts.ts';
import { displayName } from '#sdk/host-progress.ts';
import { capitalize, formatCount } from '../../ui/format/text.ts';
import { formatLimitReached } from '../operation-summary.ts';
import type { Plan } from './start-request.ts';

type PlanSummaryInput = Pick<Plan, 'kind' | 'hosts' | 'would_start' | 'would_fail' | 'blocked_by' | 'policy'>;

/** What the operation does if hosts that are already unavailable use all slots. Undefined if it is not blocked. */
export function blockedEffect({
  would_start,
  blocked_by,
  policy,
}: Pick<Plan, 'would_start' | 'blocked_by' | 'policy'>): 'wait' | 'fail' | 'pause' | undefined {
  if (would_start || blocked_by.length === 0) return undefined;
  return getBlockedStartEffect(policy);
}

/** What the operation does if more hosts would fail in preflight than the policy allows. */
export const failureEffect = ({
  would_fail,
  policy,
}: Pick<Plan, 'would_fail' | 'policy'>): 'fail' | 'pause' | undefined => (would_fail ? policy.on_failure : undefined);

export const blockedReason = (plan: Pick<Plan, 'blocked_by' | 'policy' | 'members'>): string =>
  formatLimitReached(plan.blocked_by.length, findReachedLimit(plan));

export function startLabel(plan: PlanSummaryInput): string {
  const { kind, hosts } = plan;
  const effect = blockedEffect(plan) ?? failureEffect(plan);
  if (effect === 'fail' || effect === 'pause') return `${capitalize(kind)} anyway (will ${effect})`;
  const startable = hosts.filter(({ problem }) => problem === undefined).length;
  const total = formatCount(hosts.length, 'host');
  return `${capitalize(kind)} ${startable === hosts.length ? total : `${startable} of ${total}`}`;
}

/** Groups the hosts by their preflight problem, most frequent first. */
export function groupProblems({ hosts }: Pick<Plan, 'hosts'>) {
  const affected = hosts.filter(({ problem }) => problem !== undefined);
  return [...Map.groupBy(affected, ({ problem = '' }) => problem)]
    .map(([problem, group]) => ({ problem, names: group.map(displayName) }))
    .sort((a, b) => b.names.length - a.names.length);
}

export function planWarning(plan: Pick<Plan, 'hosts'>): string {
  const count = plan.hosts.filter(({ problem }) => problem !== undefined).length;
  if (count === 0) return '';
  return `${count} of ${formatCount(plan.hosts.length, 'host')} would not complete`;
}
