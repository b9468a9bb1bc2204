import { describe, expect, it } from 'vitest';
import { parseWireTime } from '#sdk/format.ts';
import { createEvent } from './event-fixtures.ts';
import type { LoggedEvent } from './recent-events.ts';
import type { HistorySubject, StatusHistory } from './status-history.ts';
import { applyHistoryEvents, MAX_CHANGES, toStatusHistory, visibleSinceMs } from './status-history.ts';

const WEB: HistorySubject<'ok' | 'failed'> = { kind: 'cluster', name: 'web', statuses: ['ok', 'failed'] };

const change = (id: number, fields: Partial<LoggedEvent> = {}) =>
  createEvent(id, { type: 'cluster.status', cluster: 'web', data: { from: 'ok', to: 'failed' }, ...fields });
const toIds = ({ changes }: StatusHistory<string>) => changes.map(({ id }) => id);
const HISTORY = toStatusHistory(WEB.statuses, [change(5), change(3)], undefined);

describe('what is read', () => {
  it('has the time and the word before of each change, and when it was made', () => {
    const created = change(1, { at: '2026-11-15T11:00:00.000000' });
    const history = toStatusHistory(
      WEB.statuses,
      [change(5), change(3, { data: { from: 'merry' } })],
      created,
    );
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

  it('is cut where there are as many as were asked for', () => {
    const many = Array.from({ length: MAX_CHANGES }, (_, index) => change(index));
    expect(toStatusHistory(WEB.statuses, many, undefined).isTruncated).toBe(true);
  });
});

describe('what is told', () => {
  it('comes before what was read, the newest first', () => {
    expect(toIds(applyHistoryEvents(WEB, HISTORY, [change(6), change(8)]))).toEqual([8, 6, 5, 3]);
  });

  it.each([
    ['another cluster', change(6, { cluster: 'db' })],
    ['a host of it', change(6, { type: 'host.status', host: '127.0.0.1' })],
    ['its policy', change(6, { type: 'cluster.policy_changed' })],
    ['what was read already', change(5)],
  ])('of %s changes nothing', (_title, updated) => {
    expect(applyHistoryEvents(WEB, HISTORY, [updated])).toBe(HISTORY);
  });

  it('may be that it was made anew', () => {
    const { createdMs } = applyHistoryEvents(WEB, HISTORY, [change(6, { type: 'cluster.created' })]);
    expect(createdMs).toBe(parseWireTime('2026-11-15T12:00:00.000000'));
  });

  it('drops the oldest beyond what is kept, and says so', () => {
    const many = Array.from({ length: MAX_CHANGES }, (_, index) => change(index + 10));
    const { changes, isTruncated } = applyHistoryEvents(WEB, HISTORY, many);
    expect([changes.length, changes.at(-1)?.id, isTruncated]).toEqual([MAX_CHANGES, 10, true]);
  });
});

describe('it is shown', () => {
  const changes = [{ id: 2, atMs: 60, from: 'ok' }];
  it.each<[string, StatusHistory<string>, number]>([
    ['for the whole time', { changes, createdMs: undefined, isTruncated: false }, 50],
    ['since it was made', { changes, createdMs: 70, isTruncated: false }, 70],
    ['not from before the time that was chosen', { changes, createdMs: 20, isTruncated: false }, 50],
    [
      'since the oldest change, where older ones are not known',
      { changes, createdMs: 20, isTruncated: true },
      60,
    ],
    ['no later than now', { changes, createdMs: 120, isTruncated: false }, 100],
  ])('%s', (_title, history, sinceMs) => {
    expect(visibleSinceMs(history, 100, 50)).toBe(sinceMs);
  });
});
