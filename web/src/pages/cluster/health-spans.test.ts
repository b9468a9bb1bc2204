import { describe, expect, test } from 'vitest';
import type { StatusChange } from './health-spans.ts';
import { addChanges, healthSpans } from './health-spans.ts';

const HOUR = 3_600_000;
const nowMs = Date.parse('2026-11-16T12:00:00Z');

const change = (hoursAgo: number, from: string, to: string): StatusChange => ({
  id: 1000 - hoursAgo,
  at: new Date(nowMs - hoursAgo * HOUR).toISOString().slice(0, -1),
  data: { from, to },
});

describe('the health of a cluster over time', () => {
  test.each<[string, readonly StatusChange[], number, readonly (readonly [number, number, string])[]]>([
    ['no change: an hour as it is now', [], 1, [[1, 0, 'ok']]],
    [
      'from the oldest change on',
      [change(1, 'degraded', 'ok'), change(5, 'ok', 'degraded')],
      5,
      [
        [5, 1, 'degraded'],
        [1, 0, 'ok'],
      ],
    ],
    [
      'no less than an hour, with what was before',
      [change(0.5, 'failed', 'ok')],
      1,
      [
        [1, 0.5, 'failed'],
        [0.5, 0, 'ok'],
      ],
    ],
    ['no more than a week', [change(1000, 'ok', 'failed')], 168, [[168, 0, 'failed']]],
    [
      'a word that nobody knows is passed over',
      [change(2, 'merry', 'ok'), change(3, 'a', 'merry')],
      3,
      [[2, 0, 'ok']],
    ],
  ])('%s', (_what, changes, fromHours, expected) => {
    const { fromMs, spans } = healthSpans(changes, { ms: nowMs, status: 'ok' });
    const hours = (ms: number) => (nowMs - ms) / HOUR;
    expect(hours(fromMs)).toBe(fromHours);
    expect(spans.map(({ from, to, word }) => [hours(from), hours(to), word])).toEqual(expected);
  });

  test('begins when the cluster was made', () => {
    const { fromMs, spans } = healthSpans(
      [change(1, 'ok', 'failed')],
      { ms: nowMs, status: 'failed' },
      nowMs - 2 * HOUR,
    );
    expect(fromMs).toBe(nowMs - 2 * HOUR);
    expect(spans.map(({ word }) => word)).toEqual(['ok', 'failed']);
  });

  test('what is told goes before what was read, and only of this cluster', () => {
    const known = [change(5, 'ok', 'degraded')];
    const told = (cluster: string, type = 'cluster.status') => ({
      ...change(1, 'degraded', 'ok'),
      cluster,
      type,
    });
    expect(addChanges(known, [told('web'), told('db'), told('web', 'cluster.policy')], 'web')).toEqual([
      told('web'),
      ...known,
    ]);
    expect(addChanges(known, [told('db')], 'web')).toBe(known);
  });
});
