import { expect, test } from 'vitest';
import { statusStyle } from './status-style.ts';

test.each([
  ['active', 'good'],
  ['rebooting', undefined],
  ['pending', 'quiet'],
  ['cancelled', 'quiet'],
  ['failed', 'bad'],
  // It comes back by itself when it answers.
  ['unreachable', 'doubtful'],
] as const)('%s is painted as %s', (word, style) => {
  expect(statusStyle(word)).toBe(style);
});
