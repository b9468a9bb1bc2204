import { describe, expect, test } from 'vitest';
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

describe('mergeNewest', () => {
  const cases: readonly Case[] = [
    ['the first page', undefined, [9, 8, 7], [9, 8, 7], false],
    ['a complete list if the page is not full', undefined, [9, 8], [9, 8], true],
    ['an empty complete list', undefined, [], [], true],
    ['new entries joined with known entries', createList([8, 7, 6, 5], true), [9, 8, 7], [9, 8, 7, 6, 5], true],
    ['the same entries without new ones', createList([9, 8, 7, 6], false), [9, 8, 7], [9, 8, 7, 6], false],
    ['only the newest entries if there is a gap', createList([5, 4], true), [9, 8, 7], [9, 8, 7], false],
    ['only the newest entries after the log was reset', createList([90, 80, 70], false), [2, 1], [2, 1], true],
  ];
  test.each(cases)('returns %s', (_title, current, fetched, ids, isComplete) => {
    expect(toIds(mergeNewest(current, fetched.map(createEntry), LIMIT))).toEqual([ids, isComplete]);
  });
});

describe('appendOlder', () => {
  const cases: readonly Case[] = [
    ['a page', createList([9, 8], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
    ['the last page', createList([9, 8], false), [7], [9, 8, 7], true],
    ['an empty page', createList([9, 8], false), [], [9, 8], true],
    ['a page without duplicates', createList([9, 8, 7], false), [7, 6, 5], [9, 8, 7, 6, 5], false],
  ];
  test.each(cases)('appends %s', (_title, current, fetched, ids, isComplete) => {
    expect(toIds(appendOlder(current ?? createList([], false), fetched.map(createEntry), LIMIT))).toEqual([
      ids,
      isComplete,
    ]);
  });
});
