import { describe, expect, it, test } from 'vitest';
import { CLUSTER_STATUSES, HOST_STATUSES } from '#vocabulary';
import type { StatusChange } from './status-spans.ts';
import { spanStyle, statusSpans } from './status-spans.ts';

type Status = 'ok' | 'degraded' | 'failed';
const change = (atMs: number, from: Status | undefined): StatusChange<Status> => ({ atMs, from });

/** Changes newest first; spans as `from–to word`, of the time from 10 to 50. */
const CASES: readonly (readonly [
  name: string,
  changes: readonly StatusChange<Status>[],
  current: Status,
  spans: readonly string[],
])[] = [
  ['nothing has changed', [], 'ok', ['10–50 ok']],
  ['it changed once', [change(30, 'ok')], 'failed', ['10–30 ok', '30–50 failed']],
  [
    'it changed often',
    [change(40, 'degraded'), change(30, 'failed'), change(20, 'ok')],
    'ok',
    ['10–20 ok', '20–30 failed', '30–40 degraded', '40–50 ok'],
  ],
  [
    'it changed before the time that is shown',
    [change(30, 'degraded'), change(5, 'ok')],
    'ok',
    ['10–30 degraded', '30–50 ok'],
  ],
  ['only before it', [change(5, 'degraded')], 'ok', ['10–50 ok']],
  ['at its very beginning', [change(10, 'degraded')], 'ok', ['10–50 ok']],
  ['after what is now, as a clock that lags has it', [change(60, 'ok')], 'failed', ['10–50 ok']],
  [
    'a change that is not told yet',
    [change(30, 'degraded'), change(20, 'ok')],
    'failed',
    ['10–20 ok', '20–30 degraded', '30–50 failed'],
  ],
  [
    'a word that nobody knows leaves a gap',
    [change(30, undefined), change(20, 'ok')],
    'ok',
    ['10–20 ok', '30–50 ok'],
  ],
];

describe('statusSpans', () => {
  it.each(CASES)('%s', (_name, changes, current, spans) => {
    const found = statusSpans(changes, { current, sinceMs: 10, nowMs: 50 });
    expect(found.map(({ from, to, status }) => `${from}–${to} ${status}`)).toEqual(spans);
  });
});

test.each([
  ['a host', HOST_STATUSES],
  ['a cluster', CLUSTER_STATUSES],
])('no two statuses of %s look the same', (_title, statuses) => {
  const styles = statuses.map(status => JSON.stringify(spanStyle(status)));
  expect(new Set(styles).size).toBe(statuses.length);
});
