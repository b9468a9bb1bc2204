import { describe, expect, test } from 'vitest';
import { CLUSTER_STATUSES, HOST_STATUSES } from '#vocabulary';
import type { StatusChange } from './status-spans.ts';
import { spanStyle, statusSpans } from './status-spans.ts';

type Status = 'ok' | 'degraded' | 'failed';
const change = (atMs: number, from: Status | undefined): StatusChange<Status> => ({ atMs, from });

/** Changes are newest first. Spans are written as `from–to status`, within the range from 10 to 50. */
const CASES: readonly (readonly [
  name: string,
  changes: readonly StatusChange<Status>[],
  current: Status,
  spans: readonly string[],
])[] = [
  ['returns one span without changes', [], 'ok', ['10–50 ok']],
  ['splits the range at a change', [change(30, 'ok')], 'failed', ['10–30 ok', '30–50 failed']],
  [
    'returns a span per status for several changes',
    [change(40, 'degraded'), change(30, 'failed'), change(20, 'ok')],
    'ok',
    ['10–20 ok', '20–30 failed', '30–40 degraded', '40–50 ok'],
  ],
  [
    'cuts spans at the start of the range',
    [change(30, 'degraded'), change(5, 'ok')],
    'ok',
    ['10–30 degraded', '30–50 ok'],
  ],
  ['ignores changes before the range', [change(5, 'degraded')], 'ok', ['10–50 ok']],
  ['ignores a change at the start of the range', [change(10, 'degraded')], 'ok', ['10–50 ok']],
  ['ignores a change after now', [change(60, 'ok')], 'failed', ['10–50 ok']],
  [
    'ends with the current status if its change is missing',
    [change(30, 'degraded'), change(20, 'ok')],
    'failed',
    ['10–20 ok', '20–30 degraded', '30–50 failed'],
  ],
  ['leaves a gap for an unknown status', [change(30, undefined), change(20, 'ok')], 'ok', ['10–20 ok', '30–50 ok']],
];

describe('statusSpans', () => {
  test.each(CASES)('%s', (_name, changes, current, spans) => {
    const found = statusSpans(changes, { current, sinceMs: 10, nowMs: 50 });
    expect(found.map(({ from, to, status }) => `${from}–${to} ${status}`)).toEqual(spans);
  });
});

test.each([
  ['a host', HOST_STATUSES],
  ['a cluster', CLUSTER_STATUSES],
])('spanStyle differs for all statuses of %s', (_title, statuses) => {
  const styles = statuses.map(status => JSON.stringify(spanStyle(status)));
  expect(new Set(styles).size).toBe(statuses.length);
});
