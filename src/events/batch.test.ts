import { expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { partsOf } from './batch.ts';

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
])('entries are given in parts that are not too large: %s', (_what, sizes, parts) => {
  const entries = sizes.map((bytes, index) => entry(index + 1, bytes));
  expect(partsOf(entries, 1000).map(part => part.map(({ id }) => id))).toEqual(parts);
});
