import { expect, test } from 'vitest';
import { getStatusStyle } from './format.ts';

test.each([
  ['active', 'success'],
  ['rebooting', undefined],
  ['pending', 'muted'],
  ['cancelled', 'muted'],
  ['failed', 'error'],
  // An unreachable host recovers when it responds.
  ['unreachable', 'warning'],
] as const)('getStatusStyle() returns for the status %s the style %s', (status, style) => {
  expect(getStatusStyle(status)).toBe(style);
});
