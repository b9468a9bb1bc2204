import type { Static } from 'typebox';
import type { OperationSummary } from '#contract/routes/operations.ts';
import type { ReachedLimit } from '#sdk/blocking-hosts.ts';
import { formatLimit } from '#sdk/blocking-hosts.ts';
import type { HostCounts } from '#sdk/operation-progress.ts';
import { waitingCounts } from '#sdk/operation-progress.ts';
import type { SkipReason } from '#vocabulary';
import { capitalize, formatCount, formatNumber } from '../ui/format/text.ts';
import type { Segment } from '../ui/segmented-bar.tsx';

export type Operation = Static<typeof OperationSummary>;

/** An image reference can be long. The operation page shows it in full. */
const MAX_VERSION_LENGTH = 40;

const truncateVersion = (text: string) =>
  text.length > MAX_VERSION_LENGTH ? `${text.slice(0, MAX_VERSION_LENGTH - 1)}…` : text;

/** `Upgrade of web`, `Deploy of web to 44.1`. */
export const operationTitle = ({ kind, cluster, version }: Pick<Operation, 'kind' | 'cluster' | 'version'>): string =>
  `${capitalize(kind)} of ${cluster}${version === undefined ? '' : ` to ${truncateVersion(version)}`}`;

const SKIP_REASON_TEXTS: Readonly<Record<SkipReason, string>> = {
  left_cluster: 'the host left the cluster',
  cancelled: 'the operation was cancelled',
  by_hand: 'a user skipped the host',
  unhealthy: 'the host was unavailable and was excluded',
};

export const formatSkipReason = (reason: SkipReason): string => `Skipped: ${SKIP_REASON_TEXTS[reason]}.`;

/** Expects the operations sorted newest first. */
export const latestByCluster = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(operations.toReversed().map(operation => [operation.cluster, operation]));

/** Latest phase first. Only done, failed, skipped and in-flight hosts have a colour: preparation is not progress. */
export const progressSegments = (counts: HostCounts, hasEnded = false): readonly Segment[] => [
  { name: 'done', count: counts.done, severity: 'done' },
  { name: 'failed', count: counts.failed, severity: 'failed' },
  { name: 'skipped', count: counts.skipped, severity: 'skipped' },
  { name: 'in flight', count: counts.in_flight, severity: 'in_flight' },
  ...waitingCounts(counts, hasEnded)
    .toReversed()
    .map(([name, count]) => ({ name, count, severity: 'waiting' }) as const),
];

const formatSegments = (segments: readonly Segment[]) =>
  segments.filter(({ count }) => count > 0).map(({ name, count }) => `${formatNumber(count)} ${name}`);

/** `12 of 20 done`, `5 of 6 done, 1 failed`. */
export function formatResult(counts: HostCounts): string {
  const { done, total } = counts;
  const others = formatSegments(progressSegments(counts).filter(({ name }) => ['failed', 'skipped'].includes(name)));
  return [`${formatNumber(done)} of ${formatNumber(total)} done`, ...others].join(', ');
}

/** `12 done, 3 in flight, 5 pending`. */
export const formatCounts = (counts: HostCounts, hasEnded = false): string =>
  formatSegments(progressSegments(counts, hasEnded)).join(', ');

/** `2 hosts are unavailable; the limit is 1.` */
export function formatLimitReached(unavailable: number, limit: ReachedLimit): string {
  const hosts = `${formatCount(unavailable, 'host')} ${unavailable === 1 ? 'is' : 'are'} unavailable`;
  return limit.name === 'max_excluded'
    ? `${hosts}; the limit for excluded hosts is ${formatLimit(limit)}.`
    : `${hosts}; the limit is ${formatLimit(limit)}.`;
}
