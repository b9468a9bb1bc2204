import { describe, expect, test } from 'vitest';
import { allowedMethods, normalizeTarget } from './request-target.ts';

test.each([
  ['a path', '/api/v0/hosts', '/api/v0/hosts'],
  ['a path with a query', '/api/v0/hosts?q=%', '/api/v0/hosts?q=%'],
  ['a path that can be decoded', '/a%20b', '/a%20b'],
  ['a path that cannot be decoded', '/a%', '/a%25'],
  ['a path with an incomplete UTF-8 character', '/a%C3?q=%C3', '/a%25C3?q=%C3'],
  ['an absolute URL from a proxy', 'http://x:80/healthz?a', '/healthz?a'],
  ['an absolute URL without a path', 'http://x', '/'],
  ['an absolute URL with a query and no path', 'HTTPS://x?a', '/?a'],
  ['an asterisk', '*', '/*'],
  ['an empty target', '', '/'],
])('normalizeTarget converts %s', (_case, target, expected) => {
  expect(normalizeTarget(target)).toBe(expected);
});

describe('allowedMethods', () => {
  test.each([
    ['/api/v0/clusters', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v0/cluster/', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v0/cluster', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v0/cluster/web', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['/api/v0/cluster/web/hosts/10.0.0.1', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['/api/v0/host', ['OPTIONS', 'PUT']],
    ['/api/v0/host/2001:db8::1/creds', ['GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['/api/v0/host/2001:db8::1/status', ['GET', 'HEAD', 'OPTIONS']],
    ['/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ])('returns the methods of %s: %j', (path, methods) => {
    expect([...allowedMethods(path)].sort()).toEqual(methods);
  });

  test.each([
    ['a trailing slash', '/api/v0/cluster/web/'],
    ['repeated slashes', '//api//v0/cluster///web//'],
    ['characters that names cannot contain', '/api/v0/cluster/%20.x'],
  ])('matches a path with %s', (_case, path) => {
    expect(allowedMethods(path)).toContain('PUT');
  });

  test.each([
    ['/'],
    [''],
    ['/api/v0'],
    ['/api/v1/clusters'],
    ['/api/v0/clusters/web'],
    ['/api/v0/cluster/web/hosts/10.0.0.1/more'],
    ['/x/api/v0/clusters'],
    ['/api/v0/Clusters'],
    ['/openapi-json'],
    ['/api/v0/cluster/{name}/{x}'],
  ])('returns an empty list for %j', path => {
    expect(allowedMethods(path)).toEqual([]);
  });
});
