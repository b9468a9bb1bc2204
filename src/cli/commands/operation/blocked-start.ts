// Before `restart`, `upgrade` and `deploy` start anything, they read the dry run. If members that are already down use all slots, the
// operation would fail at once: a person is asked whether to exclude these hosts, a script gets an error with the flags that help.

import type { Static } from 'typebox';
import type { BlockedStart, Remedies } from '../../../client/blocking-hosts.ts';
import {
  amountText,
  blockedEffectText,
  effectOfBlockedStart,
  exceedsMaxExcluded,
  limitReachedBy,
  outageText,
  remediesFor,
} from '../../../client/blocking-hosts.ts';
import { duration } from '../../../client/times.ts';
import type { PolicyWish } from '../../../contract/policy.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { plural } from '../../../lib/text/plural.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem } from '../../cli-problem.ts';
import { operationName } from '../../output/operation-name.ts';
import { POLICY_FLAGS, withFlagNames } from '../../policy/policy-flags.ts';
import type { Session } from '../../session.ts';

type Plan = Static<typeof DryRun>;
type PolicyFields = Static<typeof PolicyWish>;

interface Blocked extends BlockedStart {
  readonly plan: Plan;
}

/** More hosts than these are counted, not listed. */
const MAX_LISTED = 20;

/** One line for each blocking host. */
export function outageLines(hosts: Plan['blocked_by'] | undefined): readonly string[] {
  if (hosts === undefined) return [];
  const lines = hosts.slice(0, MAX_LISTED).map(host => harmless(outageText(host), 400));
  const more = hosts.length - lines.length;
  return more > 0 ? [...lines, `… and ${plural(more, 'more host')}`] : lines;
}

const blockedStart = (plan: Plan, members: number): Blocked => ({
  plan,
  policy: plan.policy,
  blockedBy: plan.blocked_by,
  members,
});

/** Why a dry run predicts that the operation does not start: `1 host is already unavailable (--max-unavailable is 1)`. */
export function blockedReason(plan: Plan, members: number): string {
  const { policy, blocked_by: hosts } = plan;
  const { name, amount, allowed } = limitReachedBy(blockedStart(plan, members));
  const limit =
    name === 'max_unavailable' && policy.ramp
      ? '--ramp starts with 1 host'
      : `${POLICY_FLAGS[name]} is ${amount}${typeof amount === 'number' ? '' : `: ${plural(allowed ?? 0, 'host')}`}`;
  return `${plural(hosts.length, 'host')} ${hosts.length === 1 ? 'is' : 'are'} already unavailable (${limit})`;
}

/** The flags with which the operation of a dry run starts, one per line. */
export const startFlags = (plan: Plan, members: number): string =>
  flagLines(blockedStart(plan, members), { withExclude: true });

/** `uses the only slot (--max-unavailable 1)`. */
const effectOf = (blocked: BlockedStart): string =>
  withFlagNames(blockedEffectText(blocked.blockedBy.length, limitReachedBy(blocked)));

const flagsOf = (fields: Remedies['exclude'] & Partial<NonNullable<Remedies['raise']>>): string =>
  (['unhealthy', 'max_excluded', 'max_unavailable'] as const)
    .filter(field => fields[field] !== undefined)
    .map(field => `${POLICY_FLAGS[field]} ${fields[field]}`)
    .join(' ');

/** The flags that help, each with its effect. */
function flagLines(blocked: Blocked, { withExclude }: { readonly withExclude: boolean }): string {
  const { plan } = blocked;
  const { exclude, raise, wait } = remediesFor(blocked);
  const hosts = plan.blocked_by.length === 1 ? 'this host' : `these ${plan.blocked_by.length} hosts`;
  const rows: (readonly [flags: string, effect: string])[] = [
    ...(withExclude ? [[flagsOf(exclude), `run without ${hosts}`] as const] : []),
    ...(raise
      ? [[flagsOf(raise), `allow ${plural(raise.max_unavailable, 'unavailable host')} at a time`] as const]
      : []),
    ...(wait
      ? [
          [
            '--wait-for-hosts',
            `wait up to ${duration(plan.policy.timeouts.ready * 1000)} for ${hosts}`,
          ] as const,
        ]
      : []),
    ['--yes', `start anyway; the operation ${effectOfBlockedStart(plan.policy)}s at once`],
  ];
  const width = Math.max(...rows.map(([flags]) => flags.length));
  return rows.map(([flags, effect]) => `\n  ${flags.padEnd(width)}  ${effect}`).join('');
}

function errorFor(blocked: Blocked): CliProblem {
  const { plan } = blocked;
  const [first = '', ...others] = outageLines(plan.blocked_by);
  const what = `${operationName(plan)} was not started`;
  const why =
    others.length === 0
      ? `${first} and ${effectOf(blocked)}.`
      : `${plan.blocked_by.length} hosts ${effectOf(blocked)}:${[first, ...others].map(line => `\n  ${line}`).join('')}`;
  return new CliProblem(
    EXIT.refused,
    `${what}: ${why}\nAdd one of these flags:${flagLines(blocked, { withExclude: true })}`,
  );
}

async function askToExclude({ terminal }: Session, blocked: Blocked): Promise<void> {
  const { plan, policy, members } = blocked;
  const lines = outageLines(plan.blocked_by);
  const isOne = plan.blocked_by.length === 1;
  if (!isOne) terminal.tell(lines.map(line => `${line}\n`).join(''));
  const who = isOne ? `${lines[0]} and` : `These ${plan.blocked_by.length} hosts`;
  const limit =
    policy.unhealthy === 'count' && exceedsMaxExcluded(blocked)
      ? ` Excluding them raises --max-excluded from ${amountText(policy.max_excluded, members)} to ${plan.blocked_by.length} for this operation.`
      : '';
  const answer = await terminal.ask(
    `${who} ${effectOf(blocked)}.${limit} Exclude ${isOne ? 'it' : 'them'}? [y/N] `,
  );
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CliProblem(
    EXIT.failed,
    `nothing was started. Other flags that help:${flagLines(blocked, { withExclude: false })}`,
  );
}

/**
 * Decides by the dry run with which policy an operation is started. The policy is unchanged unless hosts that are already down would keep
 * the operation from starting and a person agrees to exclude them.
 */
export async function policyToStart(
  session: Session,
  plan: Plan,
  requested: PolicyFields,
): Promise<PolicyFields> {
  const { client, terminal } = session;
  const { cluster, policy, blocked_by: blockedBy = [] } = plan;
  if (plan.would_start || blockedBy.length === 0) return requested;
  if (effectOfBlockedStart(policy) === 'wait') return requested;
  const { body } = await client.getCluster({ name: cluster });
  const members = body.hosts.total;
  const blocked = blockedStart(plan, members);
  if (!terminal.canAsk) throw errorFor(blocked);
  await askToExclude(session, blocked);
  return { ...requested, ...remediesFor(blocked).exclude };
}
