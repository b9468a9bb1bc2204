import { describe, expect, it } from 'vitest';
import type { Selection } from './selection.ts';
import { allPressed, NOTHING_CHOSEN, pressed } from './selection.ts';

const SHOWN = ['a', 'b', 'c', 'd'].map(address => ({ address }));
const chosen = (from: string | undefined, ...addresses: string[]): Selection => ({
  chosen: new Set(addresses),
  from,
});

const CASES: readonly (readonly [string, Selection, string, boolean, Selection])[] = [
  ['one is chosen', NOTHING_CHOSEN, 'b', false, chosen('b', 'b')],
  ['another press takes it out', chosen('b', 'b', 'c'), 'b', false, chosen('b', 'c')],
  ['a range is all up to the one before', chosen('a', 'a'), 'c', true, chosen('c', 'a', 'b', 'c')],
  ['also upwards', chosen('d', 'd'), 'b', true, chosen('b', 'd', 'b', 'c')],
  ['a range that ends at a chosen one is taken out', chosen('a', 'a', 'b', 'c'), 'c', true, chosen('c')],
  ['without a beginning it is one', NOTHING_CHOSEN, 'c', true, chosen('c', 'c')],
  ['nor with one that is not shown any more', chosen('z', 'z'), 'c', true, chosen('c', 'z', 'c')],
];

describe('pressed', () => {
  it.each(CASES)('%s', (_name, before, address, isRange, after) => {
    expect(pressed(before, address, SHOWN, isRange)).toEqual(after);
  });
});

it('all that are shown are chosen and left, whatever else is chosen', () => {
  const all = allPressed(chosen('z', 'z'), SHOWN, true);
  expect([...all.chosen]).toEqual(['z', 'a', 'b', 'c', 'd']);
  expect([...allPressed(all, SHOWN, false).chosen]).toEqual(['z']);
});
