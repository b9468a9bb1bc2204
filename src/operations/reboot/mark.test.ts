import { expect, test } from 'vitest';
import { markerOf } from './mark.ts';

const MARK = { operation: 'Op-1_x', attempt: 2, bootId: '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11' };

test('a marker is named after operation, attempt and boot', () => {
  expect(markerOf(MARK)).toBe('/run/hostler/reboot_Op-1_x_2_2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11');
  expect(markerOf({ ...MARK, operation: 'x'.repeat(64) })).toContain('x'.repeat(64));
});

test.each([
  ['no operation', { operation: '' }],
  ['a way out of the folder', { operation: '../x' }],
  ['a blank', { operation: 'a b' }],
  ['a line of its own', { operation: 'a\n' }],
  ['an operation that is too long', { operation: 'x'.repeat(65) }],
  ['an attempt that is no number', { attempt: Number.NaN }],
  ['half an attempt', { attempt: 1.5 }],
  ['an attempt below zero', { attempt: -1 }],
  ['no boot id', { bootId: '' }],
  ['a boot id with more behind it', { bootId: `${MARK.bootId}\n` }],
])('no marker is named after %s', (_what, wrong) => {
  expect(() => markerOf({ ...MARK, ...wrong })).toThrow(/invalid reboot marker name/);
});
