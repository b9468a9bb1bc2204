import { expect, test } from 'vitest';
import { nextRow } from './row-navigation.ts';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 99, 99],
  ['ArrowUp', 5, 4],
  ['ArrowUp', 0, 0],
  ['PageDown', 5, 25],
  ['PageDown', 90, 99],
  ['PageUp', 30, 10],
  ['PageUp', 3, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['Enter', 50, undefined],
])('nextRow for %s in row %i returns %s', (key, current, row) => {
  expect(nextRow(key, current, { count: 100, visible: 20 })).toBe(row);
});
