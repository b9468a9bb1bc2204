import { describe, expect, test } from 'vitest';
import { methodsOf } from './unknown-path.ts';

describe('the methods of a path', () => {
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
  ])('%s are %j', (path, methods) => {
    expect([...methodsOf(path)].sort()).toEqual(methods);
  });

  test.each([
    ['a slash at the end', '/api/v0/cluster/web/'],
    ['doubled slashes', '//api//v0/cluster///web//'],
    ['characters that no name has', '/api/v0/cluster/%20.x'],
  ])('are known in spite of %s', (_what, path) => {
    expect(methodsOf(path)).toContain('PUT');
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
  ])('%j has none', path => {
    expect(methodsOf(path)).toEqual([]);
  });
});
