import type { HostCounts } from '#client/operation-progress.ts';
import type { Part } from '../ui/proportion-bar.tsx';
import { numberText } from '../ui/words/counted.ts';

const troubleParts = ({ failed, skipped }: HostCounts): readonly Part[] => [
  { name: 'failed', count: failed, tone: 'failed' },
  { name: 'skipped', count: skipped, tone: 'skipped' },
];

const restParts = ({ in_flight, preparing, pending }: HostCounts): readonly Part[] => [
  { name: 'in progress', count: in_flight, tone: 'in_flight' },
  { name: 'preparing', count: preparing, tone: 'preparing' },
  { name: 'waiting', count: pending, tone: 'waiting' },
];

/** How far its hosts are, as parts of a bar: from those that are done to those that wait. */
export const hostParts = (counts: HostCounts): readonly Part[] => [
  { name: 'done', count: counts.done, tone: 'done' },
  ...troubleParts(counts),
  ...restParts(counts),
];

const wordsOf = (parts: readonly Part[]) =>
  parts.filter(({ count }) => count > 0).map(({ name, count }) => `${numberText(count)} ${name}`);

const endedWords = (counts: HostCounts) => [
  `${numberText(counts.done)} of ${numberText(counts.total)} done`,
  ...wordsOf(troubleParts(counts)),
];

/** What has come to an end: `12 of 20 done, 1 failed, 2 skipped`. */
export const countsWords = (counts: HostCounts): string => endedWords(counts).join(', ');

/** The same, and how far the others are: `12 of 20 done, 3 in progress, 5 waiting`. */
export const allCountsWords = (counts: HostCounts): string =>
  [...endedWords(counts), ...wordsOf(restParts(counts))].join(', ');
