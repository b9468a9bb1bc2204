// Whom a session lets in. That is decided before any store is asked, but for one look; `session-end.test.ts` has that on both.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { goTo } from '../harness/http/go-to.ts';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { TestService } from '../harness/service.ts';
import { basic, startTestService } from '../harness/service.ts';
import { signIn, WRONG_COOKIE } from '../harness/sign-in.ts';

const CHALLENGE = 'Basic realm="hostler", charset="UTF-8"';
const SESSION = '/api/v0/session';
const WHO = '/api/v0/user';
const NETWORK = { type: 'none', options: {} };

let service: TestService;
let cookie = '';
let viewer = '';
beforeAll(async () => {
  service = await startTestService('sqlite', {}, QUICK_HASHER);
  viewer = await service.makeAccount('looks-on', 'viewer');
  ({ cookie } = await signIn(service, viewer));
});
afterAll(() => service.stop());
const DASHBOARD = { 'hostler-dashboard': '1' };

test.each<[string, () => Record<string, string>, number, boolean]>([
  ['the cookie and the header', () => ({ ...DASHBOARD, cookie }), 200, false],
  [
    'both, from the same origin',
    () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'same-origin' }),
    200,
    false,
  ],
  ['both, from the address bar', () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'none' }), 200, false],
  ['both, among other cookies', () => ({ ...DASHBOARD, cookie: `a="b; ${cookie}; =;` }), 200, false],
  ['both, from another site', () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'cross-site' }), 401, false],
  ['both, from a host beside', () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'same-site' }), 401, false],
  ['the cookie without the header', () => ({ cookie }), 401, true],
  ['the cookie with another header', () => ({ cookie, 'hostler-dashboard': '0' }), 401, true],
  ['the header without a cookie', () => DASHBOARD, 401, false],
  ['neither', () => ({}), 401, true],
  ['a cookie that nobody was given', () => ({ ...DASHBOARD, cookie: WRONG_COOKIE }), 401, false],
  ['a cookie that is cut', () => ({ ...DASHBOARD, cookie: cookie.slice(0, -1) }), 401, false],
  ['two cookies', () => ({ ...DASHBOARD, cookie: `${WRONG_COOKIE}; ${cookie}` }), 401, false],
  ['the name that is for TLS', () => ({ ...DASHBOARD, cookie: `__Host-${cookie}` }), 401, false],
  [
    'the secret as a password',
    () => ({ authorization: basic(`looks-on:${cookie.split('=')[1]}`) }),
    401,
    true,
  ],
  ['the secret as another header', () => ({ authorization: cookie.split('=')[1] ?? '' }), 401, true],
  [
    'both, and a wrong password',
    () => ({ ...DASHBOARD, cookie, authorization: basic('looks-on:x') }),
    200,
    false,
  ],
  ['both, and nonsense', () => ({ ...DASHBOARD, cookie, authorization: 'Bearer x' }), 200, false],
  ['the header and a password', () => ({ ...DASHBOARD, authorization: basic(viewer) }), 401, false],
  [
    'the header, a password and a wrong cookie',
    () => ({ ...DASHBOARD, cookie: WRONG_COOKIE, authorization: basic(viewer) }),
    401,
    false,
  ],
  [
    'a wrong cookie beside a password',
    () => ({ cookie: WRONG_COOKIE, authorization: basic(viewer) }),
    200,
    false,
  ],
])('a session lets in who sends %s', async (_what, headers, status, isChallenged) => {
  // So that the right one is known from a moment ago.
  expect((await service.get(WHO, { as: null, headers: { ...DASHBOARD, cookie } })).status).toBe(200);
  for (const path of [WHO, '/api/v0/hosts']) {
    const answer = await service.get(path, { as: null, headers: headers() });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      status,
      isChallenged ? CHALLENGE : null,
    ]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});

test.each<[string, () => Record<string, string>, number, boolean]>([
  ['nothing', () => ({}), 401, false],
  ['the cookie', () => ({ cookie }), 401, false],
  ['a wrong password', () => ({ authorization: basic('looks-on:x') }), 401, false],
  ['a password', () => ({ authorization: basic(viewer) }), 200, false],
  ['nothing, by a script', () => ({ 'sec-fetch-mode': 'cors' }), 401, true],
  ['nothing, by what says nothing of itself', () => ({ 'sec-fetch-mode': '' }), 401, true],
])(
  'no browser asks for a password when somebody goes there with %s',
  async (_what, headers, status, isChallenged) => {
    for (const path of ['/metrics', '/api/v0/hosts', '/api/v0/host/127.0.0.1/nothing']) {
      const answer = await goTo(service.url, path, headers());
      expect(answer.status).toBe(path.endsWith('nothing') && status === 200 ? 404 : status);
      expect(answer.headers.get('www-authenticate')).toBe(isChallenged ? CHALLENGE : undefined);
    }
  },
);

/** Where the dashboard asks people for their password, so that an unlocked screen is not enough. */
test.each([
  ['PUT', SESSION, undefined, 201],
  ['DELETE', '/api/v0/user/asked/sessions', undefined, 200],
  ['PUT', '/api/v0/user/asked/password', { password: 'password of asked' }, 200],
])('a password counts in the place of the session: %s %s', async (method, path, body, status) => {
  const asked = await service.makeAccount('asked', 'viewer');
  const ask = (authorization: string) =>
    service.request(method, path, {
      ...{ as: null, headers: { ...DASHBOARD, cookie, authorization } },
      ...(body && { body }),
    });
  const wrong = await ask(basic('asked:x'));
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, null]);
  expect((await ask(basic(asked))).status).toBe(status);
});

test('elsewhere the session counts, whose account is another than that of the password', async () => {
  const answer = await service.get(WHO, { headers: { ...DASHBOARD, cookie } });
  expect(answer.body).toMatchObject({ name: 'looks-on' });
});

test.each([
  ['a path that is not there', 'GET', '/api/v0/nothing', 404],
  ['a method that is not for it', 'GET', SESSION, 405],
  ['a head', 'HEAD', WHO, 200],
  ['the methods', 'OPTIONS', SESSION, 204],
  ['more than the role allows', 'PUT', '/api/v0/network/of-a-viewer', 403],
  ['what is for admins', 'GET', '/api/v0/users', 403],
  ['the sessions of others', 'DELETE', '/api/v0/user/admin/sessions', 403],
])('who has a session is answered as anybody of that role: %s', async (_what, method, path, status) => {
  const asked = (options: object) => service.request(method, path, options);
  const bySession = await asked({ as: null, headers: { ...DASHBOARD, cookie } });
  const byPassword = await asked({ as: viewer });
  expect([bySession.status, bySession.headers.get('allow')]).toEqual([
    status,
    byPassword.headers.get('allow'),
  ]);
  expect(byPassword.status).toBe(status);
});

test('to begin another session takes a password', async () => {
  const answer = await service.put(SESSION, undefined, { as: null, headers: { ...DASHBOARD, cookie } });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.body).toMatchObject({ code: 'unauthorized', detail: expect.stringContaining('Basic') });
});

test('no other site is told that it may ask', async () => {
  const headers = {
    ...{ origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    'access-control-request-headers': 'hostler-dashboard',
  };
  for (const as of [null, viewer]) {
    const answer = await service.request('OPTIONS', WHO, { as, headers });
    const names = [...answer.headers.keys()];
    expect(names.filter(name => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('sessions do what the role may, and the log says who did it', async () => {
  const { options } = await signIn(service, await service.makeAccount('builds', 'operator'));
  expect((await service.put('/api/v0/network/by-session', NETWORK, options)).status).toBe(201);
  const { body } = await service.get<object[]>('/api/v0/audit?subject=by-session');
  expect(body).toMatchObject([{ type: 'network.created', actor: 'builds' }]);
});

test.each([
  ['an account that only enrols', () => service.makeAccount('enrols', 'enrol')],
  [
    'an enrolment token',
    async () => {
      const { body } = await service.put<{ secret: string }>('/api/v0/token/for-hosts', {});
      return `token:${body.secret}`;
    },
  ],
])('sessions are not for %s', async (_what, credentials) => {
  const { response, setCookie } = await signIn(service, await credentials());
  expect([response.status, setCookie]).toEqual([403, '']);
});
