import type { HostCounts } from '#client/operation-progress.ts';
import { duration, timeOf } from '#client/times.ts';
import { countsWords } from '../../operations/host-counts.ts';
import type { Operation } from '../../operations/operation.ts';
import { numberText } from '../../ui/words/counted.ts';
import { sentence } from '../../ui/words/sentence.ts';

/** How one that is over has ended. */
export function resultOf(
  { state, started_at, finished_at }: Pick<Operation, 'state' | 'started_at' | 'finished_at'>,
  counts: HostCounts,
): string {
  const took = finished_at === null ? '' : `, in ${duration(timeOf(finished_at) - timeOf(started_at))}`;
  return sentence(`${state}: ${countsWords(counts)}${took}`);
}

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
