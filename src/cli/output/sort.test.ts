import { expect, test } from 'vitest';
import { sortRows } from './sort.ts';
import type { Column } from './table.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DISK SIZE', value: ({ size }) => `${size} B`, sortKey: ({ size }) => size },
];

const ROWS: readonly Row[] = [
  { name: 'web-10', size: 2 },
  { name: '', size: 3 },
  { name: 'web-9', size: 10 },
  { name: 'db', size: 1 },
];

test.each([
  ['name', ['db', 'web-9', 'web-10', '']],
  ['-name', ['web-10', 'web-9', 'db', '']],
  ['NAME', ['db', 'web-9', 'web-10', '']],
  ['disk-size', ['db', 'web-10', '', 'web-9']],
  ['-disk-size', ['web-9', '', 'web-10', 'db']],
])('sortRows() sorts by %s', (sort, names) => {
  expect(sortRows(ROWS, COLUMNS, sort).map(({ name }) => name)).toEqual(names);
});

test('sortRows() names the columns if the column does not exist', () => {
  expect(() => sortRows(ROWS, COLUMNS, 'size')).toThrow(
    "there is no column 'size' to sort by. The columns are name, disk-size",
  );
});
