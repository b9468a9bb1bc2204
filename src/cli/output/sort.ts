// The option `--sort` of lists.

import { usageError } from '../errors.ts';
import type { Column } from './table.ts';

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** `LAST CHECK` is `last-check` on the command line. */
const toSortName = ({ header }: { readonly header: string }) => header.toLowerCase().replaceAll(' ', '-');

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return COLLATOR.compare(String(a), String(b));
}

/** `sort` is the name of a column; `-` before it reverses the order. Rows without a value come last. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string): readonly Row[] {
  const isReversed = sort.startsWith('-');
  const name = (isReversed ? sort.slice(1) : sort).toLowerCase();
  const column = columns.find(candidate => toSortName(candidate) === name);
  if (column === undefined)
    throw usageError(`there is no column '${name}' to sort by. The columns are ${columns.map(toSortName).join(', ')}`);
  const keyOf = (row: Row) => column.sortKey?.(row) ?? column.value(row);
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    return isReversed ? compare(right, left) : compare(left, right);
  });
}
