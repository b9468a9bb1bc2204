// The dashboard's files over HTTP. What is in them is another matter (test/web/).

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../../src/contract/dashboard-pages.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { goTo } from '../harness/http/go-to.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { WrittenFolder } from '../harness/written-folder.ts';
import { writtenFolder } from '../harness/written-folder.ts';

const INDEX =
  '<!doctype html><title>Hostler</title><script type="module" src="/assets/entry-1a2b.js"></script>';
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

describe('the dashboard', () => {
  let written: WrittenFolder;
  let service: TestService;
  beforeAll(async () => {
    written = writtenFolder(FILES);
    service = await startTestService('sqlite', {}, { dashboardFolder: written.folder });
  });
  afterAll(async () => {
    await service.stop();
    written.remove();
  });

  const get = (path: string, options: RequestOptions = {}) => service.get(path, { as: null, ...options });
  const encodedAs = async (path: string, accepted: string) => {
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
  ])('%s is the page, for anyone', async path => {
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

  test('the page may load and ask its own server, and nobody else', async () => {
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
  ])('%s may be kept for a year', async (path, content, type, policy) => {
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
  ])('%s is not there, and asks nobody for a password', async path => {
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
  ])('%s is none of its paths', async path => {
    expect((await get(path)).status).toBe(401);
    expect(await service.refusal(service.get(path))).toBe('404 not_found');
  });

  test.each([
    ['/favicon.ico'],
    ['/host/127.0.0.1'],
    ['/settings?next=1'],
    ['/Hosts'],
    ['/%68osts'],
    ['/apis'],
  ])('who goes to %s with a browser is shown that there is no such page, whoever it is', async path => {
    const { status, headers, body } = await goTo(service.url, path, {
      'if-none-match': '*',
      authorization: 'Basic eDp5',
    });
    expect({ status, text: body.toString() }).toEqual({ status: 404, text: INDEX });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['www-authenticate', 'etag', 'hostler-event'])
      expect(headers.has(name), name).toBe(false);
  });

  test.each<[string, string, Record<string, string>]>([
    ['GET', '/metrics', {}],
    ['GET', '/api', {}],
    ['GET', '//api/v0/nowhere', {}],
    ['GET', '/api/v0/hosts', {}],
    ['POST', '/settings', {}],
    ['GET', '/settings', { accept: 'text/html-like, */*' }],
    ['GET', '/settings', { 'sec-fetch-mode': 'cors' }],
    ['GET', '/settings', { 'sec-fetch-mode': '' }],
  ])('%s %s with %j is asked who it is, and shown no page', async (method, path, headers) => {
    const answer = await goTo(service.url, path, headers, method);
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
      401,
      { code: 'unauthorized' },
    ]);
  });

  // As bytes: a client would resolve the dots.
  test.each([
    ['/assets/../index.html', 404],
    ['/assets/../../package.json', 404],
    ['/assets/%2e%2e/built.json', 404],
    ['/../package.json', 401],
    ['/hosts/../../etc/passwd', 200],
    ['/hosts/%2e%2e/%2e%2e/etc/passwd', 200],
  ])('dots lead nowhere: %s is %i', async (path, status) => {
    const connection = new RawConnection(service.url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await connection.answer();
    expect(answer?.status).toBe(status);
    if (status === 200) expect(answer?.body.toString()).toBe(INDEX);
    connection.close();
  });

  test('no page has the path of a route', () => {
    const rows: readonly RouteDefinition[] = Object.values(routes);
    const firsts = rows.flatMap(({ path, aliases = [] }) =>
      [path, ...aliases].map(each => each.split('/')[1]),
    );
    expect(firsts.filter(first => ['', 'assets', ...DASHBOARD_PAGES].includes(first ?? ''))).toEqual([]);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', null],
    ['identity', null],
  ])('a script goes to one who accepts %j as %j', async (accepted, encoding) => {
    expect(await encodedAs('/assets/entry-1a2b.js', accepted)).toMatchObject({ encoding, text: SCRIPT });
  });

  test('what was not worth it goes as it is', async () => {
    expect((await encodedAs('/', 'gzip')).encoding).toBeNull();
    expect((await encodedAs('/assets/style-3c4d.css', 'br, gzip')).encoding).toBeNull();
  });

  test('each form of a file has a tag of its own, and who has it gets no second', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async accepted => {
        const { etag } = await encodedAs('/assets/entry-1a2b.js', accepted);
        return etag ?? '';
      }),
    );
    expect(new Set(tags).size).toBe(3);
    const { etag } = await encodedAs('/', 'br');
    for (const known of [etag ?? '', `W/${etag}`, `"x", ${etag}`, '*']) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': known };
      const kept = await get('/', { headers });
      expect({ status: kept.status, text: kept.text }).toEqual({ status: 304, text: '' });
      expect(kept.headers.get('etag')).toBe(etag);
      expect(kept.headers.get('cache-control')).toBe('no-cache');
      expect(kept.headers.get('vary')).toBe('accept-encoding');
      expect(kept.headers.has('content-encoding')).toBe(false);
    }
    expect((await get('/', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  test('HEAD says the same without the content, and the connection goes on', async () => {
    const connection = new RawConnection(service.url);
    for (const path of ['/', '/assets/entry-1a2b.js', '/assets/x']) {
      connection.write(`HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const head = await connection.answer(true);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const whole = await connection.answer();
      expect(head?.status).toBe(whole?.status);
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
        expect([name, head?.headers.get(name)]).toEqual([name, whole?.headers.get(name)]);
      expect(Number(head?.headers.get('content-length'))).toBe(whole?.body.length);
    }
    connection.close();
  });

  test.each(['/', '/hosts/x', '/assets/entry-1a2b.js', '/assets/x'])(
    'other methods are not for %s',
    async path => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await service.request(method, path, { as: null, raw: 'x' });
        expect(await service.refusal(Promise.resolve(answer))).toBe('405 method_not_allowed');
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect(answer.headers.has('www-authenticate')).toBe(false);
      }
      const options = await service.request('OPTIONS', path, { as: null });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    },
  );

  test('a request without Host is refused', async () => {
    const connection = new RawConnection(service.url);
    connection.write('GET / HTTP/1.1\r\n\r\n');
    expect((await connection.answer())?.status).toBe(400);
    connection.close();
  });

  test('a running service stays with the build that it has read', async () => {
    written.write({ 'index.html': 'another', 'assets/entry-1a2b.js': 'another' });
    expect((await get('/')).text).toBe(INDEX);
    expect((await get('/assets/entry-1a2b.js')).text).toBe(SCRIPT);
    written.write(FILES);
  });
});

test('where the dashboard is not built, the page says how to build it', async () => {
  const service = await startTestService('sqlite', {}, { dashboardFolder: '/nonexistent' });
  try {
    for (const path of ['/', '/hosts/127.0.0.1']) {
      const { status, text, headers } = await service.get(path, { as: null });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('npm run build:web');
    }
    const lost = await goTo(service.url, '/settings');
    expect([lost.status, lost.body.toString()]).toEqual([404, 'Page not found.\n']);
    expect((await service.get('/assets/x.js', { as: null })).status).toBe(404);
    expect((await service.get('/api/v0/hosts')).status).toBe(200);
  } finally {
    await service.stop();
  }
});
