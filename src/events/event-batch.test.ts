import { expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { splitBySize } from './event-batch.ts';

const entry = (id: number, bytes: number) => ({
  ...logged(id, { type: 'host.labels_changed', subject: '127.0.0.1' }),
  dataJson: 'x'.repeat(bytes),
});

test.each<[string, number[], number[][]]>([
  ['none', [], []],
  ['few', [10, 10, 10], [[1, 2, 3]]],
  ['more than fit', [400, 400, 400], [[1], [2], [3]]],
  ['one that is too large by itself', [10, 5000, 10], [[1], [2], [3]]],
  [
    'several that fit',
    [100, 100, 100, 100],
    [
      [1, 2],
      [3, 4],
    ],
  ],
])('entries are given in parts that are not too large: %s', (_what, sizes, chunks) => {
  const entries = sizes.map((bytes, index) => entry(index + 1, bytes));
  expect(splitBySize(entries, 1000).map(chunk => chunk.map(({ id }) => id))).toEqual(chunks);
});
