// `restart`, `upgrade` and `deploy` request a dry run before they start. If members that are already down use
// all slots, the operation would fail immediately: on a terminal the command asks whether to exclude these
// hosts, in a script it fails with the flags that help.

import type { Static } from 'typebox';
import type { PolicyFields } from '../../../contract/policy.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../../lib/sanitize.ts';
import { formatCount } from '../../../lib/text.ts';
import type { Outage, Remedies } from '../../../sdk/blocking-hosts.ts';
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
import { promptYesNo } from '../../input/prompts.ts';
import { formatOperation } from '../../output/format.ts';
import { formatServerText } from '../../output/server-text.ts';
import { POLICY_FLAGS, replacePolicyFields } from '../../policy/policy-flags.ts';
import type { Session } from '../../session.ts';

type Plan = Static<typeof DryRun>;

const MAX_LISTED = 20;

export function formatOutages(hosts: readonly Outage[]): readonly string[] {
  const lines = hosts.slice(0, MAX_LISTED).map(host => sanitizeLine(formatOutage(host), 400));
  const hidden = hosts.length - lines.length;
  return hidden > 0 ? [...lines, `… and ${formatCount(hidden, 'more host')}`] : lines;
}

/** Why the operation would not start: `1 host is already unavailable (--max-unavailable is 1)`. */
export function formatBlockedReason(plan: Plan): string {
  const { policy, blocked_by: hosts } = plan;
  const { name, amount, allowed } = findReachedLimit(plan);
  const limit =
    name === 'max_unavailable' && policy.ramp
      ? '--ramp starts with 1 host'
      : `${POLICY_FLAGS[name]} is ${amount}${typeof amount === 'number' ? '' : `: ${formatCount(allowed, 'host')}`}`;
  return `${formatCount(hosts.length, 'host')} ${hosts.length === 1 ? 'is' : 'are'} already unavailable (${limit})`;
}

/** `uses the only slot (--max-unavailable 1)`. */
const formatEffect = (plan: Plan): string => replacePolicyFields(formatBlockedEffect(plan));

const formatFlags = (fields: Remedies['exclude'] & Partial<NonNullable<Remedies['raise']>>): string =>
  (['unhealthy', 'max_excluded', 'max_unavailable'] as const)
    .filter(field => fields[field] !== undefined)
    .map(field => `${POLICY_FLAGS[field]} ${fields[field]}`)
    .join(' ');

export function formatStartFlags(plan: Plan, { withExclude = true } = {}): string {
  const { policy, blocked_by } = plan;
  const { exclude, raise, wait } = findRemedies(plan);
  const hosts = blocked_by.length === 1 ? 'this host' : `these ${blocked_by.length} hosts`;
  const rows: [flags: string, effect: string][] = [];
  if (withExclude) rows.push([formatFlags(exclude), `run without ${hosts}`]);
  if (raise)
    rows.push([formatFlags(raise), `allow ${formatCount(raise.max_unavailable, 'unavailable host')} at a time`]);
  if (wait) rows.push(['--wait-for-hosts', `wait up to ${formatDuration(policy.timeouts.ready * 1000)} for ${hosts}`]);
  rows.push(['--yes', `start anyway; the operation ${getBlockedStartEffect(policy)}s at once`]);
  const width = Math.max(...rows.map(([flags]) => flags.length));
  return rows.map(([flags, effect]) => `\n  ${flags.padEnd(width)}  ${effect}`).join('');
}

function createBlockedError(plan: Plan): Error {
  const [first = '', ...others] = formatOutages(plan.blocked_by);
  const reason =
    others.length === 0
      ? `${first} and ${formatEffect(plan)}.`
      : `${plan.blocked_by.length} hosts ${formatEffect(plan)}:${[first, ...others].map(line => `\n  ${line}`).join('')}`;
  return rejectedError(
    `${formatOperation(plan)} was not started: ${reason}\nAdd one of these flags:${formatStartFlags(plan)}`,
  );
}

async function promptToExclude({ terminal }: Session, plan: Plan): Promise<void> {
  const { policy, members, blocked_by } = plan;
  const lines = formatOutages(blocked_by);
  const isOne = blocked_by.length === 1;
  if (!isOne) terminal.writeErr(lines.map(line => `${line}\n`).join(''));
  const subject = isOne ? `${lines[0]} and` : `These ${blocked_by.length} hosts`;
  const limit =
    policy.unhealthy === 'count' && exceedsMaxExcluded(plan)
      ? ` Excluding them raises --max-excluded from ${formatAmount(policy.max_excluded, members)} to ${blocked_by.length} for this operation.`
      : '';
  const question = `${subject} ${formatEffect(plan)}.${limit} Exclude ${isOne ? 'it' : 'them'}?`;
  if (await promptYesNo(terminal, question)) return;
  throw failedError(`nothing was started. Other flags that help:${formatStartFlags(plan, { withExclude: false })}`);
}

const warnOfFailures = ({ terminal }: Session, { detail, policy }: Plan): void =>
  terminal.writeErr(
    `Warning: the operation will ${policy.on_failure}: ${sanitizeLine(formatServerText(detail), MAX_MESSAGE_LENGTH)}.\n`,
  );

/** Returns the requested policy, changed only if hosts block the start and the user agrees to exclude them. */
export async function choosePolicy(session: Session, plan: Plan, requested: PolicyFields): Promise<PolicyFields> {
  if (plan.would_fail) warnOfFailures(session, plan);
  if (plan.would_start || plan.blocked_by.length === 0) return requested;
  if (getBlockedStartEffect(plan.policy) === 'wait') return requested;
  if (!session.terminal.canPrompt) throw createBlockedError(plan);
  await promptToExclude(session, plan);
  return { ...requested, ...findRemedies(plan).exclude };
}
