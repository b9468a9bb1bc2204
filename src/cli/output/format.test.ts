import { expect, test } from 'vitest';
import { getStatusStyle } from './format.ts';

test.each([
  ['active', 'success'],
  ['rebooting', undefined],
  ['pending', 'muted'],
  ['cancelled', 'muted'],
  ['failed', 'error'],
  // It comes back by itself when it answers.
  ['unreachable', 'warning'],
] as const)('%s is painted as %s', (status, style) => {
  expect(getStatusStyle(status)).toBe(style);
});
