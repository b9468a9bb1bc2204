import type { Static } from 'typebox';
import type { OperationSummary } from '#contract/operations.ts';
import type { Part } from '../../ui/proportion-bar.tsx';

export type Operation = Static<typeof OperationSummary>;

/** How far its hosts are, as parts of a bar; those that wait are what is left. */
export const operationParts = ({ counts }: Pick<Operation, 'counts'>): readonly Part[] => [
  { name: 'done', count: counts.done, tone: 'good' },
  { name: 'failed', count: counts.failed, tone: 'bad' },
  { name: 'skipped', count: counts.skipped, tone: 'idle' },
  { name: 'in flight', count: counts.in_flight, tone: 'busy' },
];

export const operationTitle = ({ kind, version }: Pick<Operation, 'kind' | 'version'>): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${version === undefined ? '' : ` to ${version}`}`;

/** `12 of 20 done, 1 failed`. */
export function operationCounts({ counts }: Pick<Operation, 'counts'>): string {
  const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
  return `${counts.done} of ${counts.total} done${failed}`;
}

/** The first of each cluster in a list that has the newest first. */
export function newestByCluster(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.toReversed().map(operation => [operation.cluster, operation]));
}
