import { expect, test } from 'vitest';
import { cordonMark, isOurMark } from './cordon-mark.ts';

test('a mark names the operation and the attempt', () => {
  expect(cordonMark('a1b2', 3)).toBe('hostler/a1b2/3');
});

test.each([
  ['one that we make', cordonMark('a1b2', 1), true],
  ['one of an operation that nobody knows any more', 'hostler/gone/7', true],
  ['none', '', false],
  ['one of somebody else', 'kured', false],
  ['one that only looks alike', 'hostlery/a1b2/1', false],
  ['one that names us further on', 'by hostler/a1b2/1', false],
])('of marks, %s is told: %j', (_what, text, isOurs) => {
  expect(isOurMark(text)).toBe(isOurs);
});
