import { toHostCount } from '#sdk/blocking-hosts.ts';
import { formatDuration, parseWireTime } from '#sdk/format.ts';
import type { HostCounts } from '#sdk/operation-progress.ts';
import { operationStateText } from '#sdk/operation-text.ts';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatLimitReached } from '../../operations/operation-summary.ts';
import { formatNumber, toSentence } from '../../ui/format/text.ts';
import type { OperationDetails } from './queries.ts';

export function formatOutcome(
  { state, started_at, finished_at }: Pick<Operation, 'state' | 'started_at' | 'finished_at'>,
  counts: HostCounts,
): string {
  const durationText =
    finished_at === null ? '' : ` after ${formatDuration(parseWireTime(finished_at) - parseWireTime(started_at))}`;
  return toSentence(`${operationStateText(state, counts)}${durationText}`);
}

/** Names the limit that unavailable hosts have reached. `members`: size of the cluster, if known. */
export function formatStopReason(
  {
    problem,
    unavailable_hosts: hosts,
    budget,
    policy,
  }: Pick<OperationDetails, 'problem' | 'unavailable_hosts' | 'budget' | 'policy'>,
  members: number | undefined,
): string {
  const { max_unavailable, max_excluded } = policy;
  const isExcluding = problem.startsWith('too_many_unhealthy');
  const limitText = formatLimitReached(
    hosts.length,
    isExcluding
      ? {
          name: 'max_excluded',
          amount: max_excluded,
          allowed: members === undefined ? undefined : toHostCount(max_excluded, members),
        }
      : { name: 'max_unavailable', amount: max_unavailable, allowed: budget.max_unavailable },
  );
  return `${isExcluding ? 'too_many_unhealthy' : 'budget_exhausted'}: ${limitText}`;
}

export function failureAdvice(failed: number, { can }: Pick<Operation, 'can'>): string {
  const [subject, pronoun] = failed === 1 ? ['1 host failed', 'it'] : [`${formatNumber(failed)} hosts failed`, 'them'];
  const options = [
    ...(can.includes('retry') ? [`retry ${pronoun}`] : []),
    ...(can.includes('skip') ? [`skip ${pronoun} to continue without ${pronoun}`] : []),
  ];
  return `${subject}. Check the output, fix the problem, then ${options.length === 0 ? `start a new operation for ${pronoun}` : options.join(', or ')}.`;
}
