// `restart`, `upgrade` and `deploy` request a dry run before they start. If members that are already down use
// all slots, the operation would fail immediately: on a terminal the command asks whether to exclude these
// hosts, in a script it fails with the flags that help.

import type { Static } from 'typebox';
import type { PolicyFields } from '../../../contract/policy.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { pluralize } from '../../../lib/text.ts';
import type { BlockedStart, Remedies } from '../../../sdk/blocking-hosts.ts';
import {
  exceedsMaxExcluded,
  findReachedLimit,
  findRemedies,
  formatAmount,
  formatBlockedEffect,
  formatOutage,
  getBlockedStartEffect,
} from '../../../sdk/blocking-hosts.ts';
import { formatDuration } from '../../../sdk/format.ts';
import { failedError, rejectedError } from '../../errors.ts';
import { formatOperation } from '../../output/format.ts';
import { POLICY_FLAGS, replacePolicyFields } from '../../policy/policy-flags.ts';
import type { Session } from '../../session.ts';

type Plan = Static<typeof DryRun>;

interface BlockedPlan extends BlockedStart {
  readonly plan: Plan;
}

const MAX_LISTED = 20;

export function formatOutages(hosts: Plan['blocked_by'] | undefined): readonly string[] {
  if (hosts === undefined) return [];
  const lines = hosts.slice(0, MAX_LISTED).map(host => sanitizeLine(formatOutage(host), 400));
  const hidden = hosts.length - lines.length;
  return hidden > 0 ? [...lines, `… and ${pluralize(hidden, 'more host')}`] : lines;
}

const toBlockedPlan = (plan: Plan, members: number): BlockedPlan => ({
  plan,
  policy: plan.policy,
  blockedBy: plan.blocked_by,
  members,
});

/** Why the operation would not start: `1 host is already unavailable (--max-unavailable is 1)`. */
export function formatBlockedReason(plan: Plan, members: number): string {
  const { policy, blocked_by: hosts } = plan;
  const { name, amount, allowed } = findReachedLimit(toBlockedPlan(plan, members));
  const limit =
    name === 'max_unavailable' && policy.ramp
      ? '--ramp starts with 1 host'
      : `${POLICY_FLAGS[name]} is ${amount}${typeof amount === 'number' ? '' : `: ${pluralize(allowed ?? 0, 'host')}`}`;
  return `${pluralize(hosts.length, 'host')} ${hosts.length === 1 ? 'is' : 'are'} already unavailable (${limit})`;
}

export const formatStartFlags = (plan: Plan, members: number): string =>
  formatFlagLines(toBlockedPlan(plan, members), { withExclude: true });

/** `uses the only slot (--max-unavailable 1)`. */
const formatEffect = (blocked: BlockedStart): string =>
  replacePolicyFields(formatBlockedEffect(blocked.blockedBy.length, findReachedLimit(blocked)));

const formatFlags = (fields: Remedies['exclude'] & Partial<NonNullable<Remedies['raise']>>): string =>
  (['unhealthy', 'max_excluded', 'max_unavailable'] as const)
    .filter(field => fields[field] !== undefined)
    .map(field => `${POLICY_FLAGS[field]} ${fields[field]}`)
    .join(' ');

function formatFlagLines(blocked: BlockedPlan, { withExclude }: { readonly withExclude: boolean }): string {
  const { plan } = blocked;
  const { exclude, raise, wait } = findRemedies(blocked);
  const hosts = plan.blocked_by.length === 1 ? 'this host' : `these ${plan.blocked_by.length} hosts`;
  const rows: (readonly [flags: string, effect: string])[] = [
    ...(withExclude ? [[formatFlags(exclude), `run without ${hosts}`] as const] : []),
    ...(raise
      ? [[formatFlags(raise), `allow ${pluralize(raise.max_unavailable, 'unavailable host')} at a time`] as const]
      : []),
    ...(wait
      ? [['--wait-for-hosts', `wait up to ${formatDuration(plan.policy.timeouts.ready * 1000)} for ${hosts}`] as const]
      : []),
    ['--yes', `start anyway; the operation ${getBlockedStartEffect(plan.policy)}s at once`],
  ];
  const width = Math.max(...rows.map(([flags]) => flags.length));
  return rows.map(([flags, effect]) => `\n  ${flags.padEnd(width)}  ${effect}`).join('');
}

function createBlockedError(blocked: BlockedPlan): Error {
  const { plan } = blocked;
  const [first = '', ...others] = formatOutages(plan.blocked_by);
  const summary = `${formatOperation(plan)} was not started`;
  const reason =
    others.length === 0
      ? `${first} and ${formatEffect(blocked)}.`
      : `${plan.blocked_by.length} hosts ${formatEffect(blocked)}:${[first, ...others].map(line => `\n  ${line}`).join('')}`;
  return rejectedError(
    `${summary}: ${reason}\nAdd one of these flags:${formatFlagLines(blocked, { withExclude: true })}`,
  );
}

async function promptToExclude({ terminal }: Session, blocked: BlockedPlan): Promise<void> {
  const { plan, policy, members } = blocked;
  const lines = formatOutages(plan.blocked_by);
  const isOne = plan.blocked_by.length === 1;
  if (!isOne) terminal.writeErr(lines.map(line => `${line}\n`).join(''));
  const subject = isOne ? `${lines[0]} and` : `These ${plan.blocked_by.length} hosts`;
  const limit =
    policy.unhealthy === 'count' && exceedsMaxExcluded(blocked)
      ? ` Excluding them raises --max-excluded from ${formatAmount(policy.max_excluded, members)} to ${plan.blocked_by.length} for this operation.`
      : '';
  const answer = await terminal.prompt(
    `${subject} ${formatEffect(blocked)}.${limit} Exclude ${isOne ? 'it' : 'them'}? [y/N] `,
  );
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw failedError(`nothing was started. Other flags that help:${formatFlagLines(blocked, { withExclude: false })}`);
}

/** Returns the requested policy, changed only if hosts block the start and the user agrees to exclude them. */
export async function choosePolicy(session: Session, plan: Plan, requested: PolicyFields): Promise<PolicyFields> {
  const { client, terminal } = session;
  const { cluster, policy, blocked_by: blockedBy = [] } = plan;
  if (plan.would_start || blockedBy.length === 0) return requested;
  if (getBlockedStartEffect(policy) === 'wait') return requested;
  const { body } = await client.getCluster({ name: cluster });
  const members = body.hosts.total;
  const blocked = toBlockedPlan(plan, members);
  if (!terminal.canPrompt) throw createBlockedError(blocked);
  await promptToExclude(session, blocked);
  return { ...requested, ...findRemedies(blocked).exclude };
}
