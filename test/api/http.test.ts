import { request as rawRequest } from 'node:http';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { ADMIN_PASSWORD, basic } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const network = { type: 'none', options: {} };

onEachStore('HTTP', service => {
  const admin = basic(`admin:${ADMIN_PASSWORD}`);

  test.each([
    ['no credentials come before an unknown path', 'GET', '/api/v0/nothing', { as: null }, 401],
    ['no credentials come before a wrong method', 'POST', '/api/v0/hosts', { as: null }, 401],
    [
      'no credentials come before a path that cannot be decoded',
      'GET',
      '/api/v0/host/%zz',
      { as: null },
      401,
    ],
    ['no credentials come before a bad body', 'PUT', '/api/v0/network/n', { as: null, raw: '{' }, 401],
    ['an unknown path is 404', 'GET', '/api/v0/nothing', {}, 404],
    ['another version is 404', 'GET', '/api/v1/hosts', {}, 404],
    ['no version is 404', 'GET', '/api/hosts', {}, 404],
    ['a wrong method comes before a bad name', 'POST', '/api/v0/network/a%20b', {}, 405],
    ['a wrong method comes before a bad body', 'POST', '/api/v0/hosts', { raw: '{' }, 405],
    ['an unknown path comes before a bad body', 'PUT', '/api/v0/nothing', { raw: '{' }, 404],
    ['a bad name comes before a bad body', 'PUT', '/api/v0/network/a%20b', { raw: '{}' }, 400],
    ['a bad body comes before an unknown record', 'PUT', '/api/v0/cluster/nowhere/hosts', { body: {} }, 400],
  ])('%s', async (_what, method, path, options, status) => {
    const answer = await service().request(method, path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  test('the role comes before the syntax of path and body, and after route and method', async () => {
    const as = await service().makeAccount('looker', 'viewer');
    const statuses = [
      await service().request('PUT', '/api/v0/network/a%20b', { as, raw: '{' }),
      await service().request('PUT', '/api/v0/network/n', {
        as,
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await service().request('PUT', '/api/v0/nothing', { as }),
      await service().request('POST', '/api/v0/network/n', { as }),
    ].map(answer => answer.status);
    expect(statuses).toEqual([403, 403, 404, 405]);
  });

  test('every refusal is a problem document with the request id of its header', async () => {
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
  ])('%s on %s is 405, and Allow says %s', async (method, path, allow) => {
    const answer = await service().request<Problem>(method, path);
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  });

  test('OPTIONS says what a path allows, and no other origin is', async () => {
    const headers = { origin: 'http://elsewhere.example', 'access-control-request-method': 'GET' };
    const answer = await service().request('OPTIONS', '/api/v0/hosts', { headers });
    expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
    expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD answers as GET does, without a body', async () => {
    const get = await service().get('/api/v0/network/default');
    const head = await service().request('HEAD', '/api/v0/network/default');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await service().request('HEAD', '/api/v0/network/nowhere')).status).toBe(404);
  });

  test.each(['/api/v0/hosts/', '//api//v0///hosts', '/api/v0/hosts//', '/api/v0/hosts/?limit=1'])(
    'slashes that are doubled or trail make no difference: %s',
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
  ])('a body of the type %s is answered by %i', async (type, status) => {
    const path = `/api/v0/network/type-${type.replace(/\W/g, '_')}`;
    const answer = await service().request('PUT', path, {
      raw: JSON.stringify(network),
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(status);
  });

  test('a body without a type is taken as JSON', async () => {
    const raw = Buffer.from(JSON.stringify(network));
    expect((await service().request('PUT', '/api/v0/network/untyped', { raw })).status).toBe(201);
  });

  test.each([
    ['{', 'invalid_json'],
    ['{"type": none}', 'invalid_json'],
    ['{"type":"none","options":{}} more', 'invalid_json'],
    ['{"type":"none","__proto__":{"options":{}}}', 'invalid_body'],
    [Uint8Array.from([0x22, 0xff, 0x22]), 'invalid_json'],
    ['"text"', 'invalid_body'],
    ['null', 'invalid_body'],
    ['[]', 'invalid_body'],
    ['', 'invalid_body'],
    ['['.repeat(100_000), 'invalid_body'],
    ['"\\\\"'.repeat(100_000), 'invalid_json'],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'invalid_body'],
  ])('the body %.40j is refused with %s', async (raw, code) => {
    const answer = await service().request('PUT', '/api/v0/network/bad', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, (answer.body as Problem).code]).toEqual([400, code]);
  });

  test('fields that reach for the prototype are unknown fields like others', async () => {
    const raw =
      '{"type":"none","options":{},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await service().request('PUT', '/api/v0/network/proto', { raw });
    expect([answer.status, answer.body]).toEqual([201, { name: 'proto', ...network }]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each([
    '/api/v0/hosts?q=%00',
    '/api/v0/audit?subject=a%00b',
    '/api/v0/audit?after=99999999999999999999',
    '/api/v0/audit?since=2026-99-99',
  ])('the query of %s is refused', async path => {
    expect(await service().refusal(service().get(path))).toBe('400 invalid_query');
  });

  test('a content type that is empty is none', async () => {
    const answer = await service().request('PUT', '/api/v0/network/blank', {
      raw: JSON.stringify(network),
      headers: { 'content-type': ' ' },
    });
    expect(answer.status).toBe(201);
  });

  test('an empty body or {} is fine where no field is required', async () => {
    for (const raw of ['', '{}', '{"anything": [1]}']) {
      const headers = { 'content-type': 'application/json' };
      expect((await service().request('DELETE', '/api/v0/network/nowhere', { raw, headers })).status).toBe(
        200,
      );
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
  ])('a body with more than its path accepts is 413: %s', async (_what, path, raw) => {
    const headers = { 'content-type': 'application/json' };
    expect(await service().refusal(service().request('PUT', path, { raw, headers }))).toBe(
      '413 body_too_large',
    );
  });

  test('a body over the limit is 413, whether it says its length or not', async () => {
    const large = JSON.stringify({ ...network, padding: 'x'.repeat(512 * 1024) });
    expect(await service().refusal(service().request('PUT', '/api/v0/network/large', { raw: large }))).toBe(
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
    const fitting = JSON.stringify({ ...network, padding: 'x'.repeat(512 * 1024 - 60) });
    expect((await service().request('PUT', '/api/v0/network/fitting', { raw: fitting })).status).toBe(201);
  });

  test('health, documents and the dashboard need no credentials, and everything else does', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/']) {
      expect((await service().get(path, { as: null })).status).toBe(200);
    }
    for (const path of ['/metrics', '/api/v0/', '/docs/x', '/favicon.ico']) {
      expect((await service().get(path, { as: null })).status).toBe(401);
    }
  });

  test('answers are not kept by anyone, and say what they are', async () => {
    const { headers } = await service().get('/api/v0/hosts');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
