import { expect, test } from 'vitest';
import { hasSameHostnames } from './hostnames.ts';

test.each([
  ['the same names', { '::1': 'web-1' }, true],
  ['another name', { '::1': 'web-2' }, false],
  ['another host', { '::2': 'web-1' }, false],
  ['no names', {}, false],
])('hasSameHostnames compares with %s', (_title, other, isSame) => {
  expect(hasSameHostnames(new Map([['::1', 'web-1']]), new Map(Object.entries(other)))).toBe(isSame);
});
