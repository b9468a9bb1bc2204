import { expect, test } from 'vitest';
import type { Dated } from './newest-happened.ts';
import { newestHappened } from './newest-happened.ts';

const happened = (id: number): Dated => ({
  ...{ id, at: '', type: 'host.removed', cluster: null, host: null, operation: null, data: {} },
});

test.each<[readonly number[], readonly number[], readonly number[]]>([
  [[], [], []],
  [[], [3, 2, 1], [3, 2, 1]],
  [[5, 4], [], [5, 4]],
  [
    [5, 4],
    [4, 3, 2, 1],
    [5, 4, 3],
  ],
  [[4, 5, 6, 7], [3], [7, 6, 5]],
])('told %j, read %j: %j', (told, read, expected) => {
  const found = newestHappened(told.map(happened), read.map(happened), 3);
  expect(found.map(({ id }) => id)).toEqual(expected);
});
