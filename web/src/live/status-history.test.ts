import { describe, expect, it } from 'vitest';
import { timeOf } from '#client/times.ts';
import { event } from './event-lab.ts';
import type { LoggedEvent } from './recent-events.ts';
import type { StatusHistory, Whose } from './status-history.ts';
import { foldHistory, MOST_CHANGES, readHistory, shownSinceMs } from './status-history.ts';

const WEB: Whose<'ok' | 'failed'> = { kind: 'cluster', name: 'web', words: ['ok', 'failed'] };

const change = (id: number, fields: Partial<LoggedEvent> = {}) =>
  event(id, { type: 'cluster.status', cluster: 'web', data: { from: 'ok', to: 'failed' }, ...fields });
const idsOf = ({ changes }: StatusHistory<string>) => changes.map(({ id }) => id);
const KNOWN = readHistory(WEB.words, [change(5), change(3)], undefined);

describe('what is read', () => {
  it('has the time and the word before of each change, and when it was made', () => {
    const made = change(1, { at: '2026-11-15T11:00:00.000000' });
    const read = readHistory(WEB.words, [change(5), change(3, { data: { from: 'merry' } })], made);
    const atMs = timeOf('2026-11-15T12:00:00.000000');
    expect(read).toEqual({
      changes: [
        { id: 5, atMs, from: 'ok' },
        { id: 3, atMs, from: undefined },
      ],
      madeMs: atMs - 3_600_000,
      isCut: false,
    });
  });

  it('is cut where there are as many as were asked for', () => {
    const many = Array.from({ length: MOST_CHANGES }, (_, index) => change(index));
    expect(readHistory(WEB.words, many, undefined).isCut).toBe(true);
  });
});

describe('what is told', () => {
  it('comes before what was read, the newest first', () => {
    expect(idsOf(foldHistory(WEB, KNOWN, [change(6), change(8)]))).toEqual([8, 6, 5, 3]);
  });

  it.each([
    ['another cluster', change(6, { cluster: 'db' })],
    ['a host of it', change(6, { type: 'host.status', host: '127.0.0.1' })],
    ['its policy', change(6, { type: 'cluster.policy_changed' })],
    ['what was read already', change(5)],
  ])('of %s changes nothing', (_what, told) => {
    expect(foldHistory(WEB, KNOWN, [told])).toBe(KNOWN);
  });

  it('may be that it was made anew', () => {
    const { madeMs } = foldHistory(WEB, KNOWN, [change(6, { type: 'cluster.created' })]);
    expect(madeMs).toBe(timeOf('2026-11-15T12:00:00.000000'));
  });

  it('drops the oldest beyond what is kept, and says so', () => {
    const many = Array.from({ length: MOST_CHANGES }, (_, index) => change(index + 10));
    const { changes, isCut } = foldHistory(WEB, KNOWN, many);
    expect([changes.length, changes.at(-1)?.id, isCut]).toEqual([MOST_CHANGES, 10, true]);
  });
});

describe('it is shown', () => {
  const changes = [{ id: 2, atMs: 60, from: 'ok' }];
  it.each<[string, StatusHistory<string>, number]>([
    ['for the whole time', { changes, madeMs: undefined, isCut: false }, 50],
    ['since it was made', { changes, madeMs: 70, isCut: false }, 70],
    ['not from before the time that was chosen', { changes, madeMs: 20, isCut: false }, 50],
    ['since the oldest change, where older ones are not known', { changes, madeMs: 20, isCut: true }, 60],
    ['no later than now', { changes, madeMs: 120, isCut: false }, 100],
  ])('%s', (_what, history, sinceMs) => {
    expect(shownSinceMs(history, 100, 50)).toBe(sinceMs);
  });
});
