import { request as rawRequest } from 'node:http';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { describeServerOnSqlite } from '../harness/stores/describe-server.ts';

const network = { type: 'none', options: {} };

describeServerOnSqlite('HTTP', service => {
  const admin = basic(`admin:${ADMIN_PASSWORD}`);

  test.each([
    ['checks credentials before the path', 'GET', '/api/v0/nothing', { as: null }, 401],
    ['checks credentials before the method', 'POST', '/api/v0/hosts', { as: null }, 401],
    ['checks credentials before the encoding of the path', 'GET', '/api/v0/host/%zz', { as: null }, 401],
    ['checks credentials before the body', 'PUT', '/api/v0/network/n', { as: null, raw: '{' }, 401],
    ['returns 404 for an unknown path', 'GET', '/api/v0/nothing', {}, 404],
    ['returns 404 for an unknown API version', 'GET', '/api/v1/hosts', {}, 404],
    ['returns 404 for a path without a version', 'GET', '/api/hosts', {}, 404],
    ['checks the method before the name', 'POST', '/api/v0/network/a%20b', {}, 405],
    ['checks the method before the body', 'POST', '/api/v0/hosts', { raw: '{' }, 405],
    ['checks the path before the body', 'PUT', '/api/v0/nothing', { raw: '{' }, 404],
    ['checks the name before the body', 'PUT', '/api/v0/network/a%20b', { raw: '{}' }, 400],
    ['checks the body before the record', 'PUT', '/api/v0/cluster/nowhere/hosts', { body: {} }, 400],
  ])('%s', async (_case, method, path, options, status) => {
    const response = await service().request(method, path, options);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  test('checks the role after route and method, but before the syntax of path and body', async () => {
    const as = await service().makeAccount('reader', 'viewer');
    const statuses = [
      await service().request('PUT', '/api/v0/network/a%20b', { as, raw: '{' }),
      await service().request('PUT', '/api/v0/network/n', {
        as,
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await service().request('PUT', '/api/v0/nothing', { as }),
      await service().request('POST', '/api/v0/network/n', { as }),
    ].map(response => response.status);
    expect(statuses).toEqual([403, 403, 404, 405]);
  });

  test('every error is a problem document with the request ID of the header', async () => {
    const { status, headers, body } = await service().put<Problem>('/api/v0/network/n', { type: 7 });
    expect(body).toEqual({
      type: '/docs#invalid_body',
      title: 'Bad Request',
      status,
      detail: 'options is required; type must be a string',
      code: 'invalid_body',
      request_id: headers.get('x-request-id'),
      errors: [
        { path: '/options', message: 'is required' },
        { path: '/type', message: 'must be a string' },
      ],
    });
  });

  test.each([
    ['POST', '/api/v0/hosts', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/v0/network/n', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['DELETE', '/api/v0/cluster/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v0/host', 'PUT, OPTIONS'],
    ['PROPFIND', '/api/v0/cluster/c/hosts', 'GET, PUT, HEAD, OPTIONS'],
    ['QUERY', '/api/v0/hosts', 'GET, HEAD, OPTIONS'],
  ])('%s on %s returns 405 with Allow: %s', async (method, path, allow) => {
    const response = await service().request<Problem>(method, path);
    expect([response.status, response.body.code, response.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  });

  test('OPTIONS returns Allow and no CORS headers', async () => {
    const headers = { origin: 'http://elsewhere.example', 'access-control-request-method': 'GET' };
    const response = await service().request('OPTIONS', '/api/v0/hosts', { headers });
    expect([response.status, response.headers.get('allow'), response.text]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const get = await service().get('/api/v0/network/default');
    const head = await service().request('HEAD', '/api/v0/network/default');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await service().request('HEAD', '/api/v0/network/nowhere')).status).toBe(404);
  });

  test.each(['/api/v0/hosts/', '//api//v0///hosts', '/api/v0/hosts//', '/api/v0/hosts/?limit=1'])(
    'ignores double and trailing slashes in %s',
    async path => {
      expect((await service().get(path)).status).toBe(200);
    },
  );

  test.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['APPLICATION/JSON', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['application', 415],
    ['; charset=utf-8', 415],
    ['multipart/form-data; boundary=x', 415],
  ])('a body with the content type %s returns %i', async (type, status) => {
    const path = `/api/v0/network/type-${type.replace(/\W/g, '_')}`;
    const response = await service().request('PUT', path, {
      raw: JSON.stringify(network),
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(status);
  });

  test('parses a body without a content type as JSON', async () => {
    const raw = Buffer.from(JSON.stringify(network));
    expect((await service().request('PUT', '/api/v0/network/untyped', { raw })).status).toBe(201);
  });

  test.each([
    ['an incomplete object', '{', 'invalid_json'],
    ['an unknown literal', '{"type": none}', 'invalid_json'],
    ['text after an object', '{"type":"none","options":{}} more', 'invalid_json'],
    ['`__proto__` instead of a field', '{"type":"none","__proto__":{"options":{}}}', 'invalid_body'],
    ['invalid UTF-8', Uint8Array.from([0x22, 0xff, 0x22]), 'invalid_json'],
    ['a string', '"text"', 'invalid_body'],
    ['null', 'null', 'invalid_body'],
    ['an array', '[]', 'invalid_body'],
    ['empty', '', 'invalid_body'],
    ['100,000 incomplete arrays', '['.repeat(100_000), 'invalid_body'],
    ['100,000 strings', '"\\\\"'.repeat(100_000), 'invalid_json'],
    ['50,000 nested arrays', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'invalid_body'],
  ])('rejects a body that is $0 with $2', async (_content, raw, code) => {
    const response = await service().request('PUT', '/api/v0/network/bad', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, (response.body as Problem).code]).toEqual([400, code]);
  });

  test('treats `__proto__` and `constructor` as unknown fields', async () => {
    const raw = '{"type":"none","options":{},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const response = await service().request('PUT', '/api/v0/network/proto', { raw });
    expect([response.status, response.body]).toEqual([201, { name: 'proto', ...network }]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each([
    '/api/v0/hosts?q=%00',
    '/api/v0/audit?subject=a%00b',
    '/api/v0/audit?after=99999999999999999999',
    '/api/v0/audit?since=2026-99-99',
  ])('rejects the query of %s', async path => {
    expect(await service().errorCode(service().get(path))).toBe('400 invalid_query');
  });

  test.each<[string, string, string[]]>([
    ['GET', '/api/v0/hosts?staus=failed', ['/staus is unknown; the query parameters are limit, after, status, os, ']],
    ['GET', '/api/v0/clusters?extended=maybe&x=1', ['/x is unknown']],
    ['GET', '/api/v0/host/127.0.0.1?verbose', ['/verbose is unknown: this request has no query parameters']],
    ['DELETE', '/api/v0/network/new?a=1&b=2', ['/a is unknown', '/b is unknown']],
    ['DELETE', '/api/v0/network/default?force=true', ['/force is unknown']],
    ['GET', '/api/v0/operations?__proto__=1', ['/__proto__ is unknown']],
  ])('rejects unknown parameters in %s %s', async (method, path, expected) => {
    const { status, body } = await service().request<Problem>(method, path);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
    const errors = (body.errors ?? []).map(error => `${error.path} ${error.message}`);
    for (const text of expected) expect(errors).toContainEqual(expect.stringContaining(text));
  });

  test('health checks accept any query', async () => {
    expect((await service().get('/healthz?probe=1')).status).toBe(200);
  });

  test('lists at most ten unknown parameters', async () => {
    const query = Array.from({ length: 500 }, (_, index) => `p${index}=`).join('&');
    const { body } = await service().get<Problem>(`/api/v0/networks?${query}`);
    expect(body.errors).toHaveLength(10);
  });

  test('treats an empty content type as missing', async () => {
    const response = await service().request('PUT', '/api/v0/network/blank', {
      raw: JSON.stringify(network),
      headers: { 'content-type': ' ' },
    });
    expect(response.status).toBe(201);
  });

  test('accepts an empty body or {} where no field is required', async () => {
    for (const raw of ['', '{}', '{"anything": [1]}']) {
      const headers = { 'content-type': 'application/json' };
      expect((await service().request('DELETE', '/api/v0/network/nowhere', { raw, headers })).status).toBe(200);
    }
  });

  test.each([
    ['a list of members', '/api/v0/cluster/c/hosts', `{"old": [${'1,'.repeat(340_000)}1], "new": []}`],
    ['hosts to enrol', '/api/v0/hosts/bulk', `{"hosts": [${'{"address":1},'.repeat(60_000)}1]}`],
    [
      'labels',
      '/api/v0/host/127.0.0.1/labels',
      `{${Array.from({ length: 2000 }, (_, index) => `"l${index}": ""`).join()}}`,
    ],
    ['an account', '/api/v0/user/ann', `{"x": "${'x'.repeat(70_000)}"}`],
  ])('returns 413 for a body with more than its route accepts: %s', async (_case, path, raw) => {
    const headers = { 'content-type': 'application/json' };
    expect(await service().errorCode(service().request('PUT', path, { raw, headers }))).toBe('413 body_too_large');
  });

  test('returns 413 for a body over the limit, with or without Content-Length', async () => {
    const large = JSON.stringify({ ...network, padding: 'x'.repeat(512 * 1024) });
    expect(await service().errorCode(service().request('PUT', '/api/v0/network/large', { raw: large }))).toBe(
      '413 body_too_large',
    );
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const request = rawRequest(`${service().url}/api/v0/network/large`, {
      method: 'PUT',
      headers: { authorization: admin },
    });
    request.on('response', response => resolve(response.statusCode)).on('error', reject);
    request.write(large);
    request.end('x');
    expect(await promise).toBe(413);
    const withinLimit = JSON.stringify({ ...network, padding: 'x'.repeat(512 * 1024 - 60) });
    expect((await service().request('PUT', '/api/v0/network/fitting', { raw: withinLimit })).status).toBe(201);
  });

  test('only health, API documentation and dashboard need no credentials', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/']) {
      expect((await service().get(path, { as: null })).status).toBe(200);
    }
    for (const path of ['/metrics', '/api/v0/', '/docs/x', '/favicon.ico']) {
      expect((await service().get(path, { as: null })).status).toBe(401);
    }
  });

  test('responses have headers against caching and content sniffing', async () => {
    const { headers } = await service().get('/api/v0/hosts');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
