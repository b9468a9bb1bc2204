import { expect, test } from 'vitest';
import { hasSameHostnames, toHostnames } from './hostnames.ts';

test('toHostnames omits hosts whose name is not known', () => {
  const hosts = [{ address: '::1', hostname: 'web-1' }, { address: '::2', hostname: '' }, { address: '::3' }];
  expect([...toHostnames(hosts)]).toEqual([['::1', 'web-1']]);
});

test.each([
  ['the same names', { '::1': 'web-1' }, true],
  ['another name', { '::1': 'web-2' }, false],
  ['another host', { '::2': 'web-1' }, false],
  ['no names', {}, false],
])('hasSameHostnames compares with %s', (_title, other, isSame) => {
  expect(hasSameHostnames(new Map([['::1', 'web-1']]), new Map(Object.entries(other)))).toBe(isSame);
});
