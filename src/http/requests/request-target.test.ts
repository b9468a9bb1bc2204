import { expect, test } from 'vitest';
import { readablePath } from './request-target.ts';

test.each([
  ['a path', '/api/v0/hosts', '/api/v0/hosts'],
  ['a path with a query', '/api/v0/hosts?q=%', '/api/v0/hosts?q=%'],
  ['a path that can be decoded', '/a%20b', '/a%20b'],
  ['a path that cannot be decoded', '/a%', '/a%25'],
  ['half of a character', '/a%C3?q=%C3', '/a%25C3?q=%C3'],
  ['a whole URL, as proxies send it', 'http://x:80/healthz?a', '/healthz?a'],
  ['a whole URL without a path', 'http://x', '/'],
  ['a URL with a query and no path', 'HTTPS://x?a', '/?a'],
  ['a star', '*', '/*'],
  ['nothing', '', '/'],
])('%s is read as routes know it', (_what, target, expected) => {
  expect(readablePath(target)).toBe(expected);
});
