import type { HostCounts } from '#client/operation-progress.ts';
import type { Part } from '../ui/proportion-bar.tsx';
import { numberText } from '../ui/words/counted.ts';

const endedParts = ({ done, failed, skipped }: HostCounts): readonly Part[] => [
  { name: 'done', count: done, tone: 'done' },
  { name: 'failed', count: failed, tone: 'failed' },
  { name: 'skipped', count: skipped, tone: 'skipped' },
];

const restParts = ({ in_flight, preparing, pending }: HostCounts): readonly Part[] => [
  { name: 'in flight', count: in_flight, tone: 'in_flight' },
  { name: 'preparing', count: preparing, tone: 'preparing' },
  { name: 'pending', count: pending, tone: 'waiting' },
];

/** How far its hosts are, as parts of a bar: from those that are done to those that wait. */
export const hostParts = (counts: HostCounts): readonly Part[] => [
  ...endedParts(counts),
  ...restParts(counts),
];

const wordsOf = (parts: readonly Part[]) =>
  parts.filter(({ count }) => count > 0).map(({ name, count }) => `${numberText(count)} ${name}`);

/** The hosts that have ended: `12 of 20 done`, `5 of 6 done, 1 failed`. */
export function countsWords(counts: HostCounts): string {
  const { done, total } = counts;
  const others = wordsOf(endedParts(counts).filter(({ name }) => name !== 'done'));
  return [`${numberText(done)} of ${numberText(total)} done`, ...others].join(', ');
}

/** How far all hosts are: `12 done, 3 in flight, 5 pending`. */
export const allCountsWords = (counts: HostCounts): string => wordsOf(hostParts(counts)).join(', ');
