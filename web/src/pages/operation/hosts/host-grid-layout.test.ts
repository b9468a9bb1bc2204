import { describe, expect, test } from 'vitest';
import { nextCell } from './host-grid-layout.ts';

// Ten cells per row; the last row has five.
const grid = { count: 25, columns: 10 };

describe('nextCell', () => {
  test.each<[key: string, ctrlKey: boolean, from: number, to: number | undefined]>([
    ['ArrowRight', false, 9, 10],
    ['ArrowRight', false, 24, 24],
    ['ArrowLeft', false, 10, 9],
    ['ArrowLeft', false, 0, 0],
    ['ArrowDown', false, 3, 13],
    ['ArrowDown', false, 16, 16],
    ['ArrowUp', false, 13, 3],
    ['ArrowUp', false, 3, 3],
    ['Home', false, 17, 10],
    ['Home', true, 17, 0],
    ['End', false, 12, 19],
    ['End', false, 22, 24],
    ['End', true, 2, 24],
    ['PageDown', false, 2, 24],
    ['PageUp', false, 22, 0],
    ['Tab', false, 2, undefined],
    ['a', false, 2, undefined],
  ])('%s (ctrl: %s) moves from %i to %s', (key, ctrlKey, from, to) => {
    expect(nextCell({ key, ctrlKey }, from, grid)).toBe(to);
  });
});
