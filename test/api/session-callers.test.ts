// Which requests a session authenticates. Mostly independent of the store; `session-end.test.ts` runs on both
// stores.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic } from '../harness/credentials.ts';
import { navigate } from '../harness/http/raw-requests.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { signIn, WRONG_COOKIE } from '../harness/session-fixtures.ts';

const CHALLENGE = 'Basic realm="hostler", charset="UTF-8"';
const SESSION = '/api/v0/session';
const USER = '/api/v0/user';
const NETWORK = { type: 'none', options: {} };

let service: TestService;
let cookie = '';
let viewer = '';
beforeAll(async () => {
  service = await startTestService('sqlite');
  viewer = await service.makeAccount('observer', 'viewer');
  ({ cookie } = await signIn(service, viewer));
});
afterAll(() => service.stop());
const DASHBOARD = { 'hostler-dashboard': '1' };

test.each<[string, () => Record<string, string>, number, boolean]>([
  ['the cookie and the header', () => ({ ...DASHBOARD, cookie }), 200, false],
  [
    'cookie and header from the same origin',
    () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'same-origin' }),
    200,
    false,
  ],
  ['cookie and header from the address bar', () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'none' }), 200, false],
  ['cookie and header among other cookies', () => ({ ...DASHBOARD, cookie: `a="b; ${cookie}; =;` }), 200, false],
  ['cookie and header from another site', () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'cross-site' }), 401, false],
  [
    'cookie and header from a sibling host',
    () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'same-site' }),
    401,
    false,
  ],
  ['the cookie without the header', () => ({ cookie }), 401, true],
  ['the cookie with another header', () => ({ cookie, 'hostler-dashboard': '0' }), 401, true],
  ['the header without a cookie', () => DASHBOARD, 401, false],
  ['neither cookie nor header', () => ({}), 401, true],
  ['an unknown cookie', () => ({ ...DASHBOARD, cookie: WRONG_COOKIE }), 401, false],
  ['a truncated cookie', () => ({ ...DASHBOARD, cookie: cookie.slice(0, -1) }), 401, false],
  ['two cookies', () => ({ ...DASHBOARD, cookie: `${WRONG_COOKIE}; ${cookie}` }), 401, false],
  ['the cookie name for TLS', () => ({ ...DASHBOARD, cookie: `__Host-${cookie}` }), 401, false],
  ['the secret as a password', () => ({ authorization: basic(`observer:${cookie.split('=')[1]}`) }), 401, true],
  ['the secret as another header', () => ({ authorization: cookie.split('=')[1] ?? '' }), 401, true],
  [
    'cookie, header and a wrong password',
    () => ({ ...DASHBOARD, cookie, authorization: basic('observer:x') }),
    200,
    false,
  ],
  ['cookie, header and an unknown scheme', () => ({ ...DASHBOARD, cookie, authorization: 'Bearer x' }), 200, false],
  ['the header and a password', () => ({ ...DASHBOARD, authorization: basic(viewer) }), 401, false],
  [
    'the header, a password and a wrong cookie',
    () => ({ ...DASHBOARD, cookie: WRONG_COOKIE, authorization: basic(viewer) }),
    401,
    false,
  ],
  ['a wrong cookie and a password', () => ({ cookie: WRONG_COOKIE, authorization: basic(viewer) }), 200, false],
])('a request with %s gets status $2 (challenge: $3)', async (_case, headers, status, isChallenged) => {
  // The server has a valid session in its cache.
  expect((await service.get(USER, { as: null, headers: { ...DASHBOARD, cookie } })).status).toBe(200);
  for (const path of [USER, '/api/v0/hosts']) {
    const response = await service.get(path, { as: null, headers: headers() });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      status,
      isChallenged ? CHALLENGE : null,
    ]);
    expect(response.headers.get('set-cookie')).toBeNull();
  }
});

test.each<[string, () => Record<string, string>, number, boolean]>([
  ['no credentials', () => ({}), 401, false],
  ['the cookie', () => ({ cookie }), 401, false],
  ['a wrong password', () => ({ authorization: basic('observer:x') }), 401, false],
  ['a password', () => ({ authorization: basic(viewer) }), 200, false],
  ['no credentials from a script', () => ({ 'sec-fetch-mode': 'cors' }), 401, true],
  ['no credentials and an empty Sec-Fetch-Mode', () => ({ 'sec-fetch-mode': '' }), 401, true],
])('a browser navigation with %s gets status $2 (challenge: $3)', async (_case, headers, status, isChallenged) => {
  for (const path of ['/metrics', '/api/v0/hosts', '/api/v0/host/127.0.0.1/nothing']) {
    const response = await navigate(service.url, path, headers());
    expect(response.status).toBe(path.endsWith('nothing') && status === 200 ? 404 : status);
    expect(response.headers.get('www-authenticate')).toBe(isChallenged ? CHALLENGE : undefined);
  }
});

/** The dashboard asks for the password here, so that an unlocked screen is not enough. */
test.each([
  ['PUT', SESSION, undefined, 201],
  ['DELETE', '/api/v0/user/other/sessions', undefined, 200],
  ['PUT', '/api/v0/user/other/password', { password: 'password of other' }, 200],
])('the Authorization header overrides the session cookie for %s %s', async (method, path, body, status) => {
  const credentials = await service.makeAccount('other', 'viewer');
  const request = (authorization: string) =>
    service.request(method, path, {
      ...{ as: null, headers: { ...DASHBOARD, cookie, authorization } },
      ...(body && { body }),
    });
  const wrong = await request(basic('other:x'));
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, null]);
  expect((await request(basic(credentials))).status).toBe(status);
});

test('the session has precedence over the password of another account on other routes', async () => {
  const response = await service.get(USER, { headers: { ...DASHBOARD, cookie } });
  expect(response.body).toMatchObject({ name: 'observer' });
});

test.each([
  ['an unknown path', 'GET', '/api/v0/nothing', 404],
  ['a wrong method', 'GET', SESSION, 405],
  ['a HEAD request', 'HEAD', USER, 200],
  ['an OPTIONS request', 'OPTIONS', SESSION, 204],
  ['a change that the role does not allow', 'PUT', '/api/v0/network/of-a-viewer', 403],
  ['a route for admins', 'GET', '/api/v0/users', 403],
  ['the sessions of another account', 'DELETE', '/api/v0/user/admin/sessions', 403],
])('a session is equivalent to a password of the same role: %s', async (_case, method, path, status) => {
  const send = (options: object) => service.request(method, path, options);
  const bySession = await send({ as: null, headers: { ...DASHBOARD, cookie } });
  const byPassword = await send({ as: viewer });
  expect([bySession.status, bySession.headers.get('allow')]).toEqual([status, byPassword.headers.get('allow')]);
  expect(byPassword.status).toBe(status);
});

test('creating another session requires a password', async () => {
  const response = await service.put(SESSION, undefined, { as: null, headers: { ...DASHBOARD, cookie } });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, null]);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(response.body).toMatchObject({ code: 'unauthorized', detail: expect.stringContaining('Basic') });
});

test('OPTIONS sends no CORS headers', async () => {
  const headers = {
    ...{ origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    'access-control-request-headers': 'hostler-dashboard',
  };
  for (const as of [null, viewer]) {
    const response = await service.request('OPTIONS', USER, { as, headers });
    const names = [...response.headers.keys()];
    expect(names.filter(name => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('the audit log records the account of a session', async () => {
  const { options } = await signIn(service, await service.makeAccount('builds', 'operator'));
  expect((await service.put('/api/v0/network/by-session', NETWORK, options)).status).toBe(201);
  const { body } = await service.get<object[]>('/api/v0/audit?subject=by-session');
  expect(body).toMatchObject([{ type: 'network.created', actor: 'builds' }]);
});

test.each([
  ['an account with the role enrol', () => service.makeAccount('enrols', 'enrol')],
  [
    'an enrolment token',
    async () => {
      const { body } = await service.put<{ secret: string }>('/api/v0/token/for-hosts');
      return `token:${body.secret}`;
    },
  ],
])('PUT /session creates no session for %s', async (_case, credentials) => {
  const { response, setCookie } = await signIn(service, await credentials());
  expect([response.status, setCookie]).toEqual([403, '']);
});
