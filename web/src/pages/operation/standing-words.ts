import { hostsAllowed } from '#client/blocking-hosts.ts';
import type { HostCounts } from '#client/operation-progress.ts';
import { operationStateText } from '#client/operation-words.ts';
import { duration, timeOf } from '#client/times.ts';
import { limitWords } from '../../operations/limit-words.ts';
import type { Operation } from '../../operations/operation.ts';
import { numberText } from '../../ui/words/counted.ts';
import { sentence } from '../../ui/words/sentence.ts';
import type { OperationWhole } from './use-operation.ts';

/** How one that is over has ended. */
export function resultOf(
  { state, started_at, finished_at }: Pick<Operation, 'state' | 'started_at' | 'finished_at'>,
  counts: HostCounts,
): string {
  const took = finished_at === null ? '' : ` after ${duration(timeOf(finished_at) - timeOf(started_at))}`;
  return sentence(`${operationStateText(state, counts)}${took}`);
}

/** Which limit the unavailable hosts have reached. `members`: of the cluster; `undefined`: not known. */
export function stoppedWords(
  {
    problem,
    unavailable_hosts: hosts,
    budget,
    policy,
  }: Pick<OperationWhole, 'problem' | 'unavailable_hosts' | 'budget' | 'policy'>,
  members: number | undefined,
): string {
  const { max_unavailable, max_excluded } = policy;
  const isExcluding = problem.startsWith('too_many_unhealthy');
  const reached = limitWords(
    hosts.length,
    isExcluding
      ? {
          ...{ name: 'max_excluded', amount: max_excluded },
          allowed: members === undefined ? undefined : hostsAllowed(max_excluded, members),
        }
      : { name: 'max_unavailable', amount: max_unavailable, allowed: budget.max_unavailable },
  );
  return `${isExcluding ? 'too_many_unhealthy' : 'budget_exhausted'}: ${reached}`;
}

/** What somebody may do about hosts that failed. */
export function adviceOn(failed: number, { can }: Pick<Operation, 'can'>): string {
  const [who, it] = failed === 1 ? ['1 host failed', 'it'] : [`${numberText(failed)} hosts failed`, 'them'];
  const then = [
    ...(can.includes('retry') ? [`retry ${it}`] : []),
    ...(can.includes('skip') ? [`skip ${it} to continue without ${it}`] : []),
  ];
  return `${who}. Check the output, fix the problem, then ${then.length === 0 ? `start a new operation for ${it}` : then.join(', or ')}.`;
}
