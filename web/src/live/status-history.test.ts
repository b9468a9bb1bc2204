import { describe, expect, test } from 'vitest';
import { parseWireTime } from '#sdk/format.ts';
import { createEvent } from '../../../test/harness/events/event-fixtures.ts';
import type { LoggedEvent } from './recent-events.ts';
import type { HistorySubject, StatusHistory } from './status-history.ts';
import { applyHistoryEvents, MAX_CHANGES, toStatusHistory, visibleSinceMs } from './status-history.ts';

const WEB: HistorySubject<'ok' | 'failed'> = { kind: 'cluster', name: 'web', statuses: ['ok', 'failed'] };

const change = (id: number, fields: Partial<LoggedEvent> = {}) =>
  createEvent(id, { type: 'cluster.status', cluster: 'web', data: { from: 'ok', to: 'failed' }, ...fields });
const toIds = ({ changes }: StatusHistory<string>) => changes.map(({ id }) => id);
const HISTORY = toStatusHistory(WEB.statuses, [change(5), change(3)], undefined);

describe('toStatusHistory', () => {
  test('contains the time and previous status of each change, and the creation time', () => {
    const created = change(1, { at: '2026-11-15T11:00:00.000000' });
    const history = toStatusHistory(WEB.statuses, [change(5), change(3, { data: { from: 'nonsense' } })], created);
    const atMs = parseWireTime('2026-11-15T12:00:00.000000');
    expect(history).toEqual({
      changes: [
        { id: 5, atMs, from: 'ok' },
        { id: 3, atMs, from: undefined },
      ],
      createdMs: atMs - 3_600_000,
      isTruncated: false,
    });
  });

  test('is truncated when the response reaches the limit', () => {
    const many = Array.from({ length: MAX_CHANGES }, (_, index) => change(index));
    expect(toStatusHistory(WEB.statuses, many, undefined).isTruncated).toBe(true);
  });
});

describe('applyHistoryEvents', () => {
  test('puts new changes first', () => {
    expect(toIds(applyHistoryEvents(WEB, HISTORY, [change(6), change(8)]))).toEqual([8, 6, 5, 3]);
  });

  test.each([
    ['another cluster', change(6, { cluster: 'db' })],
    ['a host of the cluster', change(6, { type: 'host.status', host: '127.0.0.1' })],
    ['the policy of the cluster', change(6, { type: 'cluster.policy_changed' })],
    ['a change that the history contains', change(5)],
  ])('returns the same object for %s', (_title, event) => {
    expect(applyHistoryEvents(WEB, HISTORY, [event])).toBe(HISTORY);
  });

  test('updates the creation time when the subject is created again', () => {
    const { createdMs } = applyHistoryEvents(WEB, HISTORY, [change(6, { type: 'cluster.created' })]);
    expect(createdMs).toBe(parseWireTime('2026-11-15T12:00:00.000000'));
  });

  test('drops the oldest changes above the limit and sets isTruncated', () => {
    const many = Array.from({ length: MAX_CHANGES }, (_, index) => change(index + 10));
    const { changes, isTruncated } = applyHistoryEvents(WEB, HISTORY, many);
    expect([changes.length, changes.at(-1)?.id, isTruncated]).toEqual([MAX_CHANGES, 10, true]);
  });
});

describe('visibleSinceMs', () => {
  const changes = [{ id: 2, atMs: 60, from: 'ok' }];
  test.each<[string, StatusHistory<string>, number]>([
    ['the start of the range by default', { changes, createdMs: undefined, isTruncated: false }, 50],
    ['the creation time if it is later', { changes, createdMs: 70, isTruncated: false }, 70],
    ['the start of the range if the creation is earlier', { changes, createdMs: 20, isTruncated: false }, 50],
    ['the oldest change of a truncated history', { changes, createdMs: 20, isTruncated: true }, 60],
    ['now if the creation is in the future', { changes, createdMs: 120, isTruncated: false }, 100],
  ])('returns %s', (_title, history, sinceMs) => {
    expect(visibleSinceMs(history, 100, 50)).toBe(sinceMs);
  });
});
