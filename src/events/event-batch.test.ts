import { expect, test } from 'vitest';
import { logEntry } from '../../test/harness/events/outbox-entries.ts';
import { splitBySize } from './event-batch.ts';

const entry = (id: number, bytes: number) => ({
  ...logEntry(id, { type: 'host.labels_changed', subject: '127.0.0.1' }),
  dataJson: 'x'.repeat(bytes),
});

test.each<[string, number[], number[][]]>([
  ['no entries', [], []],
  ['entries that fit together', [10, 10, 10], [[1, 2, 3]]],
  ['entries that do not fit together', [400, 400, 400], [[1], [2], [3]]],
  ['an entry above the maximum', [10, 5000, 10], [[1], [2], [3]]],
  [
    'entries that fit in pairs',
    [100, 100, 100, 100],
    [
      [1, 2],
      [3, 4],
    ],
  ],
])('splitBySize splits by size: %s', (_case, sizes, chunks) => {
  const entries = sizes.map((bytes, index) => entry(index + 1, bytes));
  expect(splitBySize(entries, 1000).map(chunk => chunk.map(({ id }) => id))).toEqual(chunks);
});
