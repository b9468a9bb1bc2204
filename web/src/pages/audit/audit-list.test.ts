import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditList } from './audit-list.ts';
import { appendOlder, mergeNewest } from './audit-list.ts';

const LIMIT = 3;

const createEntry = (id: number): AuditEntry => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status', subject: '127.0.0.1', actor: '' },
  ...{ address: '', request_id: '', result: 'ok', cluster: null, host: '127.0.0.1', operation: null },
  ...{ data: {}, hash: '' },
});
const createList = (ids: readonly number[], isComplete: boolean): AuditList => ({
  entries: ids.map(createEntry),
  isComplete,
});
const toIds = ({ entries, isComplete }: AuditList) => [entries.map(({ id }) => id), isComplete];

type Case = readonly [
  title: string,
  current: AuditList | undefined,
  fetched: readonly number[],
  ids: readonly number[],
  isComplete: boolean,
];

describe('withNewest', () => {
  const cases: readonly Case[] = [
    ['the first read', undefined, [9, 8, 7], [9, 8, 7], false],
    ['all there is', undefined, [9, 8], [9, 8], true],
    ['nothing', undefined, [], [], true],
    [
      'one more, which reaches what was known',
      createList([8, 7, 6, 5], true),
      [9, 8, 7],
      [9, 8, 7, 6, 5],
      true,
    ],
    ['nothing new', createList([9, 8, 7, 6], false), [9, 8, 7], [9, 8, 7, 6], false],
    ['more than was read: a gap, so it begins anew', createList([5, 4], true), [9, 8, 7], [9, 8, 7], false],
    ['a log that has begun anew', createList([90, 80, 70], false), [2, 1], [2, 1], true],
  ];
  it.each(cases)('%s', (_title, current, fetched, ids, isComplete) => {
    expect(toIds(mergeNewest(current, fetched.map(createEntry), LIMIT))).toEqual([ids, isComplete]);
  });
});

describe('withOlder', () => {
  const cases: readonly Case[] = [
    ['a page', createList([9, 8], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
    ['the last page', createList([9, 8], false), [7], [9, 8, 7], true],
    ['nothing older', createList([9, 8], false), [], [9, 8], true],
    ['what was read twice', createList([9, 8, 7], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
  ];
  it.each(cases)('%s', (_title, current, fetched, ids, isComplete) => {
    expect(toIds(appendOlder(current ?? createList([], false), fetched.map(createEntry), LIMIT))).toEqual([
      ids,
      isComplete,
    ]);
  });
});
