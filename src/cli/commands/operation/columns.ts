import type { Static } from 'typebox';
import type { OperationReport } from '../../../contract/routes/operations.ts';
import { formatDuration, parseWireTime } from '../../../sdk/format.ts';
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

/** The duration of the host or, if it has not ended, the time in its current phase. */
function formatElapsed({ started_at, finished_at, phases }: Host, nowMs: number): string {
  if (finished_at !== null && started_at !== null)
    return formatDuration(parseWireTime(finished_at) - parseWireTime(started_at));
  const last = phases.at(-1);
  return last === undefined || started_at === null ? '' : formatDuration(nowMs - parseWireTime(last.at));
}

const formatDetail = ({ error, already_there, detail }: Host): string =>
  error ?? (already_there ? 'nothing to do' : detail);

/** Includes the reason: `skipped (unhealthy)`. */
const formatPhase = ({ state, skip_reason }: Host): string =>
  skip_reason === null ? state : `${state} (${skip_reason.replaceAll('_', ' ')})`;

export const operationHostColumns = (nowMs: number): readonly Column<Host>[] => [
  { header: 'HOSTNAME', value: ({ hostname }) => hostname || '-' },
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'PHASE', value: formatPhase, style: ({ state }) => getStatusStyle(state) },
  { header: 'DURATION', value: host => formatElapsed(host, nowMs), isRightAligned: true },
  { header: 'ATTEMPT', value: ({ attempt }) => String(attempt), isRightAligned: true, isWideOnly: true },
  { header: 'CORDONED', value: ({ cordoned }) => (cordoned ? 'yes' : ''), isWideOnly: true },
  {
    header: 'DETAIL',
    value: formatDetail,
    style: ({ error }) => (error === null ? 'muted' : 'error'),
    isTruncatable: true,
  },
];
