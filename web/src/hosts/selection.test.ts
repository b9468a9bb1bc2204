import { describe, expect, test } from 'vitest';
import type { Selection } from './selection.ts';
import { EMPTY_SELECTION, toggle, toggleAll } from './selection.ts';

const ROWS = ['a', 'b', 'c', 'd'].map(address => ({ address }));
const createSelection = (anchor: string | undefined, ...addresses: string[]): Selection => ({
  selected: new Set(addresses),
  anchor,
});

const CASES: readonly (readonly [string, Selection, string, boolean, Selection])[] = [
  ['selects a host', EMPTY_SELECTION, 'b', false, createSelection('b', 'b')],
  ['deselects a selected host', createSelection('b', 'b', 'c'), 'b', false, createSelection('b', 'c')],
  ['selects a range from the anchor', createSelection('a', 'a'), 'c', true, createSelection('c', 'a', 'b', 'c')],
  ['selects a range upwards', createSelection('d', 'd'), 'b', true, createSelection('b', 'd', 'b', 'c')],
  [
    'deselects a range that ends at a selected host',
    createSelection('a', 'a', 'b', 'c'),
    'c',
    true,
    createSelection('c'),
  ],
  ['selects one host without an anchor', EMPTY_SELECTION, 'c', true, createSelection('c', 'c')],
  [
    'selects one host when the anchor is not visible',
    createSelection('z', 'z'),
    'c',
    true,
    createSelection('c', 'z', 'c'),
  ],
];

describe('toggle', () => {
  test.each(CASES)('%s', (_name, before, address, isRange, after) => {
    expect(toggle(before, address, ROWS, isRange)).toEqual(after);
  });
});

test('toggleAll selects and deselects the visible hosts and keeps the others', () => {
  const all = toggleAll(createSelection('z', 'z'), ROWS, true);
  expect([...all.selected]).toEqual(['z', 'a', 'b', 'c', 'd']);
  expect([...toggleAll(all, ROWS, false).selected]).toEqual(['z']);
});
