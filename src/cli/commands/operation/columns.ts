import type { Static } from 'typebox';
import { operationStateText } from '../../../client/operation-words.ts';
import { duration, timeOf } from '../../../client/times.ts';
import type { OperationReport } from '../../../contract/routes/operations.ts';
import { serverText } from '../../output/server-text.ts';
import { operationStyle, statusStyle } from '../../output/status-style.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time-words.ts';
import type { Operation } from './find-operation.ts';

type Host = Static<typeof OperationReport>['hosts'][number];

export const operationColumns = (nowMs: number): readonly Column<Operation>[] => [
  { header: 'ID', of: ({ id }) => id },
  { header: 'KIND', of: ({ kind }) => kind },
  { header: 'CLUSTER', of: ({ cluster }) => cluster, isCuttable: true },
  { header: 'VERSION', of: ({ version = '' }) => version, isWide: true, isCuttable: true },
  {
    header: 'STATE',
    of: ({ state, counts }) => operationStateText(state, counts),
    style: ({ state, counts }) => operationStyle(state, counts),
  },
  { header: 'DONE', of: ({ counts }) => `${counts.done}/${counts.total}`, isRight: true },
  {
    header: 'FAILED',
    of: ({ counts }) => (counts.failed === 0 ? '' : String(counts.failed)),
    style: () => 'bad',
    isRight: true,
  },
  { header: 'STARTED', of: ({ started_at }) => ago(started_at, nowMs) },
  { header: 'STARTED BY', of: ({ started_by }) => started_by, isWide: true },
  { header: 'PROBLEM', of: ({ problem }) => serverText(problem), isCuttable: true, isSentence: true },
];

/** How long it took, or how long it is in its phase. */
function timeIn({ started_at, finished_at, phases }: Host, nowMs: number): string {
  if (finished_at !== null && started_at !== null) return duration(timeOf(finished_at) - timeOf(started_at));
  const last = phases.at(-1);
  return last === undefined || started_at === null ? '' : duration(nowMs - timeOf(last.at));
}

const whyOf = ({ error, already_there, detail }: Host): string =>
  error ?? (already_there ? 'nothing to do' : detail);

/** `skipped (unhealthy)`: the reason is part of the state. */
const phaseText = ({ state, skip_reason }: Host): string =>
  skip_reason === null ? state : `${state} (${skip_reason.replaceAll('_', ' ')})`;

export const operationHostColumns = (nowMs: number): readonly Column<Host>[] => [
  { header: 'HOST', of: ({ address }) => address },
  { header: 'PHASE', of: phaseText, style: ({ state }) => statusStyle(state) },
  { header: 'DURATION', of: host => timeIn(host, nowMs), isRight: true },
  { header: 'ATTEMPT', of: ({ attempt }) => String(attempt), isRight: true, isWide: true },
  { header: 'CORDONED', of: ({ cordoned }) => (cordoned ? 'yes' : ''), isWide: true },
  {
    header: 'DETAIL',
    of: whyOf,
    style: ({ error }) => (error === null ? 'quiet' : 'bad'),
    isCuttable: true,
  },
];
