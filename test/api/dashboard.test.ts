// Only the HTTP side of the dashboard. test/web tests its content.

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../../src/contract/dashboard-pages.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { navigate } from '../harness/http/raw-requests.ts';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { TempFolder } from '../harness/temp-folders.ts';
import { createTempFolder } from '../harness/temp-folders.ts';

const INDEX = '<!doctype html><title>Hostler</title><script type="module" src="/assets/entry-1a2b.js"></script>';
const SCRIPT = `console.log("${'hello '.repeat(100)}");`;

const FILES = {
  'index.html': INDEX,
  'index.html.br': brotliCompressSync(INDEX),
  'built.json': '{"digest":"x"}',
  'assets/entry-1a2b.js': SCRIPT,
  'assets/entry-1a2b.js.br': brotliCompressSync(SCRIPT),
  'assets/entry-1a2b.js.gz': gzipSync(SCRIPT),
  'assets/style-3c4d.css': 'body { margin: 0 }',
  'assets/odd-5e6f.xyz': 'odd',
};

const YEAR = 'public, max-age=31536000, immutable';

describe('dashboard files', () => {
  let build: TempFolder;
  let service: TestService;
  beforeAll(async () => {
    build = createTempFolder(FILES);
    service = await startTestService('sqlite', {}, { dashboardFolder: build.folder });
  });
  afterAll(async () => {
    await service.stop();
    build.remove();
  });

  const get = (path: string, options: RequestOptions = {}) => service.get(path, { as: null, ...options });
  const getEncoded = async (path: string, accepted: string) => {
    const { headers, text } = await get(path, { headers: { 'accept-encoding': accepted } });
    return { encoding: headers.get('content-encoding'), text, etag: headers.get('etag') };
  };

  test.each([
    ['/'],
    ['/?next=1'],
    ['//'],
    ...DASHBOARD_PAGES.map(page => [`/${page}`]),
    ['/hosts/'],
    ['//hosts//127.0.0.1'],
    ['/clusters/web/operations/7?tab=log'],
    ['/hosts/%zz'],
  ])('GET %s returns the page without authentication', async path => {
    const { status, text, headers } = await get(path);
    expect({ status, text }).toEqual({ status: 200, text: INDEX });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-request-id')).not.toBeNull();
    expect(headers.has('set-cookie')).toBe(false);
  });

  test('the content security policy restricts the page to its own server', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  test.each([
    ['/assets/entry-1a2b.js', SCRIPT, 'text/javascript; charset=utf-8', /connect-src 'self'/],
    ['/assets/style-3c4d.css', 'body { margin: 0 }', 'text/css; charset=utf-8', /^default-src 'none'; frame/],
    ['/assets/odd-5e6f.xyz', 'odd', 'application/octet-stream', /^default-src 'none'; frame/],
    ['//assets//style-3c4d.css/', 'body { margin: 0 }', 'text/css; charset=utf-8', /^default-src 'none'/],
  ])('GET %s can be cached for a year', async (path, content, type, policy) => {
    const { status, text, headers } = await get(path);
    expect({ status, text }).toEqual({ status: 200, text: content });
    expect(headers.get('cache-control')).toBe(YEAR);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-security-policy')).toMatch(policy);
  });

  test.each([
    ['/assets/'],
    ['/assets'],
    ['/assets/entry-0000.js'],
    ['/assets/entry-1a2b.js.br'],
    ['/assets/built.json'],
    ['/assets/..%2findex.html'],
    ['/assets/%00'],
    ['/assets/__proto__'],
    ['/assets/constructor'],
  ])('GET %s returns 404 without an authentication challenge', async path => {
    const { status, headers } = await get(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('www-authenticate')).toBe(false);
  });

  test.each([
    ['/index.html'],
    ['/built.json'],
    ['/favicon.ico'],
    ['/host'],
    ['/Hosts'],
    ['/hostsx'],
    ['/%68osts'],
    ['/api'],
    ['/api/v0/'],
    ['/x/hosts'],
  ])('GET %s is not a dashboard path', async path => {
    expect((await get(path)).status).toBe(401);
    expect(await service.errorCode(service.get(path))).toBe('404 not_found');
  });

  test.each([['/favicon.ico'], ['/host/127.0.0.1'], ['/settings?next=1'], ['/Hosts'], ['/%68osts'], ['/apis']])(
    'a browser that navigates to %s gets the page with 404 and no authentication challenge',
    async path => {
      const { status, headers, body } = await navigate(service.url, path, {
        'if-none-match': '*',
        authorization: 'Basic eDp5',
      });
      expect({ status, text: body.toString() }).toEqual({ status: 404, text: INDEX });
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(headers.get('cache-control')).toBe('no-store');
      for (const name of ['www-authenticate', 'etag', 'hostler-event']) expect(headers.has(name), name).toBe(false);
    },
  );

  test.each<[string, string, Record<string, string>]>([
    ['GET', '/metrics', {}],
    ['GET', '/api', {}],
    ['GET', '//api/v0/nowhere', {}],
    ['GET', '/api/v0/hosts', {}],
    ['POST', '/settings', {}],
    ['GET', '/settings', { accept: 'text/html-like, */*' }],
    ['GET', '/settings', { 'sec-fetch-mode': 'cors' }],
    ['GET', '/settings', { 'sec-fetch-mode': '' }],
  ])('%s %s with %j returns 401 and no page', async (method, path, headers) => {
    const response = await navigate(service.url, path, headers, method);
    expect([response.status, JSON.parse(response.body.toString())]).toMatchObject([401, { code: 'unauthorized' }]);
  });

  // Sent as raw bytes because a client would resolve the dots.
  test.each([
    ['/assets/../index.html', 404],
    ['/assets/../../package.json', 404],
    ['/assets/%2e%2e/built.json', 404],
    ['/../package.json', 401],
    ['/hosts/../../etc/passwd', 200],
    ['/hosts/%2e%2e/%2e%2e/etc/passwd', 200],
  ])('does not resolve dot segments: %s returns %i', async (path, status) => {
    const connection = new RawConnection(service.url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const response = await connection.nextResponse();
    expect(response?.status).toBe(status);
    if (status === 200) expect(response?.body.toString()).toBe(INDEX);
    connection.close();
  });

  test('no dashboard page has the path of a route', () => {
    const definitions: readonly RouteDefinition[] = Object.values(routes);
    const firstSegments = definitions.flatMap(({ path, aliases = [] }) =>
      [path, ...aliases].map(routePath => routePath.split('/')[1]),
    );
    expect(firstSegments.filter(segment => ['', 'assets', ...DASHBOARD_PAGES].includes(segment ?? ''))).toEqual([]);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', null],
    ['identity', null],
  ])('a client that accepts %j gets the script as %j', async (accepted, encoding) => {
    expect(await getEncoded('/assets/entry-1a2b.js', accepted)).toMatchObject({ encoding, text: SCRIPT });
  });

  test('a file without a compressed copy is sent uncompressed', async () => {
    expect((await getEncoded('/', 'gzip')).encoding).toBeNull();
    expect((await getEncoded('/assets/style-3c4d.css', 'br, gzip')).encoding).toBeNull();
  });

  test('each encoding of a file has its own ETag, and If-None-Match returns 304', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async accepted => {
        const { etag } = await getEncoded('/assets/entry-1a2b.js', accepted);
        return etag ?? '';
      }),
    );
    expect(new Set(tags).size).toBe(3);
    const { etag } = await getEncoded('/', 'br');
    for (const tag of [etag ?? '', `W/${etag}`, `"x", ${etag}`, '*']) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': tag };
      const response = await get('/', { headers });
      expect({ status: response.status, text: response.text }).toEqual({ status: 304, text: '' });
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(response.headers.has('content-encoding')).toBe(false);
    }
    expect((await get('/', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  test('HEAD returns the headers of GET without a body and keeps the connection open', async () => {
    const connection = new RawConnection(service.url);
    for (const path of ['/', '/assets/entry-1a2b.js', '/assets/x']) {
      connection.write(`HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const head = await connection.nextResponse(true);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const full = await connection.nextResponse();
      expect(head?.status).toBe(full?.status);
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
        expect([name, head?.headers.get(name)]).toEqual([name, full?.headers.get(name)]);
      expect(Number(head?.headers.get('content-length'))).toBe(full?.body.length);
    }
    connection.close();
  });

  test.each(['/', '/hosts/x', '/assets/entry-1a2b.js', '/assets/x'])('other methods return 405 for %s', async path => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await service.request(method, path, { as: null, raw: 'x' });
      expect(await service.errorCode(Promise.resolve(response))).toBe('405 method_not_allowed');
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(response.headers.has('www-authenticate')).toBe(false);
    }
    const options = await service.request('OPTIONS', path, { as: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('a request without a Host header returns 400', async () => {
    const connection = new RawConnection(service.url);
    connection.write('GET / HTTP/1.1\r\n\r\n');
    expect((await connection.nextResponse())?.status).toBe(400);
    connection.close();
  });

  test('a running server keeps the build that it read at startup', async () => {
    build.write({ 'index.html': 'another', 'assets/entry-1a2b.js': 'another' });
    expect((await get('/')).text).toBe(INDEX);
    expect((await get('/assets/entry-1a2b.js')).text).toBe(SCRIPT);
    build.write(FILES);
  });
});

test('without a dashboard build, the page explains how to build it', async () => {
  const service = await startTestService('sqlite', {}, { dashboardFolder: '/nonexistent' });
  try {
    for (const path of ['/', '/hosts/127.0.0.1']) {
      const { status, text, headers } = await service.get(path, { as: null });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('npm run build:web');
    }
    const notFound = await navigate(service.url, '/settings');
    expect([notFound.status, notFound.body.toString()]).toEqual([404, 'Page not found.\n']);
    expect((await service.get('/assets/x.js', { as: null })).status).toBe(404);
    expect((await service.get('/api/v0/hosts')).status).toBe(200);
  } finally {
    await service.stop();
  }
});
