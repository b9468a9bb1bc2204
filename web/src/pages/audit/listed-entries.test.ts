import { describe, expect, it } from 'vitest';
import type { AuditEntry, Listed } from './listed-entries.ts';
import { withNewest, withOlder } from './listed-entries.ts';

const LIMIT = 3;

const entry = (id: number): AuditEntry => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status', subject: '127.0.0.1', actor: '' },
  ...{ address: '', request_id: '', result: 'ok', cluster: null, host: '127.0.0.1', operation: null },
  ...{ data: {}, hash: '' },
});
const listed = (ids: readonly number[], isWhole: boolean): Listed => ({ entries: ids.map(entry), isWhole });
const idsOf = ({ entries, isWhole }: Listed) => [entries.map(({ id }) => id), isWhole];

type Case = readonly [
  what: string,
  known: Listed | undefined,
  read: readonly number[],
  ids: readonly number[],
  isWhole: boolean,
];

describe('withNewest', () => {
  const cases: readonly Case[] = [
    ['the first read', undefined, [9, 8, 7], [9, 8, 7], false],
    ['all there is', undefined, [9, 8], [9, 8], true],
    ['nothing', undefined, [], [], true],
    ['one more, which reaches what was known', listed([8, 7, 6, 5], true), [9, 8, 7], [9, 8, 7, 6, 5], true],
    ['nothing new', listed([9, 8, 7, 6], false), [9, 8, 7], [9, 8, 7, 6], false],
    ['more than was read: a gap, so it begins anew', listed([5, 4], true), [9, 8, 7], [9, 8, 7], false],
    ['a log that has begun anew', listed([90, 80, 70], false), [2, 1], [2, 1], true],
  ];
  it.each(cases)('%s', (_what, known, read, ids, isWhole) => {
    expect(idsOf(withNewest(known, read.map(entry), LIMIT))).toEqual([ids, isWhole]);
  });
});

describe('withOlder', () => {
  const cases: readonly Case[] = [
    ['a page', listed([9, 8], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
    ['the last page', listed([9, 8], false), [7], [9, 8, 7], true],
    ['nothing older', listed([9, 8], false), [], [9, 8], true],
    ['what was read twice', listed([9, 8, 7], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
  ];
  it.each(cases)('%s', (_what, known, read, ids, isWhole) => {
    expect(idsOf(withOlder(known ?? listed([], false), read.map(entry), LIMIT))).toEqual([ids, isWhole]);
  });
});
