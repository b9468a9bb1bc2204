import type { HostCounts } from '#client/operation-progress.ts';
import { duration, timeOf } from '#client/times.ts';
import type { SkipReason } from '#vocabulary';
import { countsWords } from '../../operations/host-counts.ts';
import type { Operation } from '../../operations/operation.ts';
import { counted, numberText } from '../../ui/words/counted.ts';
import { sentence } from '../../ui/words/sentence.ts';
import type { OperationWhole } from './use-operation.ts';

/** How one that is over has ended. */
export function resultOf(
  { state, started_at, finished_at }: Pick<Operation, 'state' | 'started_at' | 'finished_at'>,
  counts: HostCounts,
): string {
  const took = finished_at === null ? '' : `, in ${duration(timeOf(finished_at) - timeOf(started_at))}`;
  return sentence(`${state}: ${countsWords(counts)}${took}`);
}

/** Which limit the hosts that are out of service have used up. */
export function stoppedWords({
  problem,
  out_of_service,
  budget,
  policy,
}: Pick<OperationWhole, 'problem' | 'out_of_service' | 'budget' | 'policy'>): string {
  const hosts = counted(out_of_service.length, 'host');
  const isOne = out_of_service.length === 1;
  if (problem.startsWith('too_many_unhealthy'))
    return `${hosts} ${isOne ? 'is' : 'are'} unhealthy, more than max_excluded ${policy.max_excluded} allows (too_many_unhealthy).`;
  return `${hosts} out of service ${isOne ? 'uses' : 'use'} up max_unavailable ${budget.max_unavailable} (budget_exhausted).`;
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  left_cluster: 'the host left the cluster',
  cancelled: 'the operation was cancelled',
  by_hand: 'a user skipped the host',
  unhealthy: 'the host was out of service and was excluded',
};

/** Why a host was skipped, as a sentence. */
export const skippedWords = (reason: SkipReason): string => `Skipped: ${SKIPPED[reason]}.`;

/** What somebody may do about hosts that failed. */
export function adviceOn(failed: number, { can }: Pick<Operation, 'can'>): string {
  const [who, it] =
    failed === 1 ? ['A host has failed', 'it'] : [`${numberText(failed)} hosts have failed`, 'them'];
  const then = [
    ...(can.includes('retry') ? [`retry ${it}`] : []),
    ...(can.includes('skip') ? [`skip ${it} to go on without`] : []),
  ];
  return `${who}. Look at what was said, mend it, and ${then.length === 0 ? `start another operation for ${it}` : then.join(', or ')}.`;
}
