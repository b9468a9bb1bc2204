import { describe, expect, it } from 'vitest';
import type { Selection } from './selection.ts';
import { EMPTY_SELECTION, toggle, toggleAll } from './selection.ts';

const ROWS = ['a', 'b', 'c', 'd'].map(address => ({ address }));
const createSelection = (anchor: string | undefined, ...addresses: string[]): Selection => ({
  selected: new Set(addresses),
  anchor,
});

const CASES: readonly (readonly [string, Selection, string, boolean, Selection])[] = [
  ['one is chosen', EMPTY_SELECTION, 'b', false, createSelection('b', 'b')],
  ['another press takes it out', createSelection('b', 'b', 'c'), 'b', false, createSelection('b', 'c')],
  [
    'a range is all up to the one before',
    createSelection('a', 'a'),
    'c',
    true,
    createSelection('c', 'a', 'b', 'c'),
  ],
  ['also upwards', createSelection('d', 'd'), 'b', true, createSelection('b', 'd', 'b', 'c')],
  [
    'a range that ends at a chosen one is taken out',
    createSelection('a', 'a', 'b', 'c'),
    'c',
    true,
    createSelection('c'),
  ],
  ['without a beginning it is one', EMPTY_SELECTION, 'c', true, createSelection('c', 'c')],
  [
    'nor with one that is not shown any more',
    createSelection('z', 'z'),
    'c',
    true,
    createSelection('c', 'z', 'c'),
  ],
];

describe('pressed', () => {
  it.each(CASES)('%s', (_name, before, address, isRange, after) => {
    expect(toggle(before, address, ROWS, isRange)).toEqual(after);
  });
});

it('all that are shown are chosen and left, whatever else is chosen', () => {
  const all = toggleAll(createSelection('z', 'z'), ROWS, true);
  expect([...all.selected]).toEqual(['z', 'a', 'b', 'c', 'd']);
  expect([...toggleAll(all, ROWS, false).selected]).toEqual(['z']);
});
