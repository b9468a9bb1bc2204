import type { Static } from 'typebox';
import type { OperationReport } from '../../../contract/routes/operations.ts';
import { formatDuration, parseWireTime } from '../../../sdk/format.ts';
import { isNotStarted, toHostProgress } from '../../../sdk/host-progress.ts';
import { waitingCounts } from '../../../sdk/operation-progress.ts';
import { operationStateText } from '../../../sdk/operation-text.ts';
import { formatAgo, getOperationStyle, getStatusStyle } from '../../output/format.ts';
import { formatServerText } from '../../output/server-text.ts';
import type { Column } from '../../output/table.ts';
import type { Operation } from './find-operation.ts';

type Host = Static<typeof OperationReport>['hosts'][number];

export const operationColumns = (nowMs: number): readonly Column<Operation>[] => [
  { header: 'ID', value: ({ id }) => id },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'CLUSTER', value: ({ cluster }) => cluster, isTruncatable: true },
  { header: 'VERSION', value: ({ version = '' }) => version, isWideOnly: true, isTruncatable: true },
  {
    header: 'STATE',
    value: ({ state, counts }) => operationStateText(state, counts),
    style: ({ state, counts }) => getOperationStyle(state, counts),
  },
  { header: 'DONE', value: ({ counts }) => `${counts.done}/${counts.total}`, isRightAligned: true },
  {
    header: 'FAILED',
    value: ({ counts }) => (counts.failed === 0 ? '' : String(counts.failed)),
    style: () => 'error',
    isRightAligned: true,
  },
  {
    header: 'STARTED',
    value: ({ started_at }) => formatAgo(started_at, nowMs),
    sortKey: ({ started_at }) => started_at,
  },
  { header: 'STARTED BY', value: ({ started_by }) => started_by, isWideOnly: true },
  {
    header: 'PROBLEM',
    value: ({ problem }) => formatServerText(problem),
    isTruncatable: true,
    canWrapBelow: true,
  },
];

interface HostClock {
  readonly nowMs: number;
  /** When the operation ended; `null` while it is in process. */
  readonly finishedAt: string | null;
}

const hasNotStarted = (host: Host, { finishedAt }: HostClock): boolean =>
  isNotStarted(toHostProgress(host), finishedAt !== null);

/** The time for which the host is or was out of service in this attempt. */
function formatTimeOutOfService(host: Host, { nowMs, finishedAt }: HostClock): string {
  const { inFlightSinceMs } = toHostProgress(host);
  if (inFlightSinceMs === undefined) return '';
  const endedAt = host.finished_at ?? finishedAt;
  return formatDuration((endedAt === null ? nowMs : parseWireTime(endedAt)) - inFlightSinceMs);
}

function formatDetail(host: Host, clock: HostClock): string {
  const { error, already_there, detail } = host;
  if (error !== null) return error;
  if (already_there) return 'nothing to do';
  // It no longer waits for what the detail says.
  return hasNotStarted(host, clock) ? '' : detail;
}

/** Includes the reason: `skipped (unhealthy)`. */
function formatState(host: Host, clock: HostClock): string {
  const { state, skip_reason } = host;
  if (hasNotStarted(host, clock)) return 'not started';
  return skip_reason === null ? state : `${state} (${skip_reason.replaceAll('_', ' ')})`;
}

export const operationHostColumns = (clock: HostClock): readonly Column<Host>[] => [
  { header: 'HOSTNAME', value: ({ hostname }) => hostname || '-' },
  { header: 'ADDRESS', value: ({ address }) => address },
  {
    header: 'STATE',
    value: host => formatState(host, clock),
    style: host => (hasNotStarted(host, clock) ? 'muted' : getStatusStyle(host.state)),
  },
  { header: 'DURATION', value: host => formatTimeOutOfService(host, clock), isRightAligned: true },
  { header: 'ATTEMPT', value: ({ attempt }) => String(attempt), isRightAligned: true, isWideOnly: true },
  { header: 'CORDONED', value: ({ cordoned }) => (cordoned ? 'yes' : ''), isWideOnly: true },
  {
    header: 'DETAIL',
    value: host => formatDetail(host, clock),
    style: ({ error }) => (error === null ? 'muted' : 'error'),
    isTruncatable: true,
  },
];

/** For example `5: 3 done, 2 failed`. */
export function formatHostCounts({ counts, finished_at }: Pick<Operation, 'counts' | 'finished_at'>): string {
  const { total, in_flight, done, failed, skipped } = counts;
  const named: readonly (readonly [name: string, count: number])[] = [
    ...waitingCounts(counts, finished_at !== null),
    ['in flight', in_flight],
    ['done', done],
    ['failed', failed],
    ['skipped', skipped],
  ];
  const texts = named.filter(([, count]) => count !== 0).map(([name, count]) => `${count} ${name}`);
  return `${total}${texts.length === 0 ? '' : `: ${texts.join(', ')}`}`;
}
