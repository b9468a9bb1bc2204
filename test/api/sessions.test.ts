import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recordNameOf } from '../../src/domain/record-name.ts';
import { formatTimestamp, parseTimestamp } from '../../src/domain/timestamp.ts';
import { makeCertificate } from '../harness/certificates.ts';
import { onEachStore } from '../harness/on-each-store.ts';
import { OpenStream } from '../harness/open-stream.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';
import { signIn } from '../harness/sign-in.ts';
import { describePostgres, makeStorePlace, runSql } from '../harness/stores.ts';

const CHALLENGE = 'Basic realm="hostler", charset="UTF-8"';
const SECRET = /hss_[\w-]{43}/;
const SESSION = '/api/v0/session';
const WHO = '/api/v0/user';
const NETWORK = { type: 'none', options: {} };

const streams: OpenStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(service: TestService, headers: Record<string, string>): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`, { as: null, headers });
  streams.push(stream);
  await stream.has('retry');
  return stream;
}

interface Told {
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

onEachStore('sessions', service => {
  const told = async (subject: string) => {
    const { body } = await service().get<Told[]>(`/api/v0/audit?limit=1000&subject=${subject}`);
    return body.filter(({ type }) => type.startsWith('account.signed_'));
  };
  const who = async (options: Parameters<TestService['get']>[1]) =>
    (await service().get(WHO, options)).status;

  test('begin with a password: the cookie is for this host alone, no script reads it, no other site sends it', async () => {
    const as = await service().makeAccount('begins', 'viewer');
    const { response, setCookie, options } = await signIn(service(), as);
    expect([response.status, response.body]).toEqual([
      201,
      { account: 'begins', role: 'viewer', expires_at: expect.any(String) },
    ]);
    const lastsMs = parseTimestamp(response.body.expires_at) - Date.now();
    expect(Math.abs(lastsMs - 28_800_000)).toBeLessThan(60_000);
    expect(setCookie.replace(SECRET, 'SECRET')).toBe(
      'hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict',
    );
    const own = await service().get(WHO, options);
    expect([own.status, own.body]).toMatchObject([200, { name: 'begins', role: 'viewer' }]);
    expect(own.headers.get('set-cookie')).toBeNull();
    expect(own.headers.get('hostler-event')).toMatch(/^\d+$/);
  });

  describe('let in', () => {
    let cookie = '';
    let viewer = '';
    beforeAll(async () => {
      viewer = await service().makeAccount('looks-on', 'viewer');
      ({ cookie } = await signIn(service(), viewer));
    });
    const DASHBOARD = { 'hostler-dashboard': '1' };
    const wrong = `hostler-session=hss_${'x'.repeat(43)}`;

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
      [
        'both, from another site',
        () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'cross-site' }),
        401,
        false,
      ],
      [
        'both, from a host beside',
        () => ({ ...DASHBOARD, cookie, 'sec-fetch-site': 'same-site' }),
        401,
        false,
      ],
      ['the cookie without the header', () => ({ cookie }), 401, true],
      ['the cookie with another header', () => ({ cookie, 'hostler-dashboard': '0' }), 401, true],
      ['the header without a cookie', () => DASHBOARD, 401, false],
      ['neither', () => ({}), 401, true],
      ['a cookie that nobody was given', () => ({ ...DASHBOARD, cookie: wrong }), 401, false],
      ['a cookie that is cut', () => ({ ...DASHBOARD, cookie: cookie.slice(0, -1) }), 401, false],
      ['two cookies', () => ({ ...DASHBOARD, cookie: `${wrong}; ${cookie}` }), 401, false],
      ['the name that is for TLS', () => ({ ...DASHBOARD, cookie: `__Host-${cookie}` }), 401, false],
      [
        'the secret as a password',
        () => ({ authorization: basic(`looks-on:${cookie.split('=')[1]}`) }),
        401,
        true,
      ],
      ['the secret as another header', () => ({ authorization: cookie.split('=')[1] ?? '' }), 401, true],
      [
        'a wrong password beside it',
        () => ({ ...DASHBOARD, cookie, authorization: basic('looks-on:x') }),
        401,
        false,
      ],
      ['nonsense beside it', () => ({ ...DASHBOARD, cookie, authorization: 'Bearer x' }), 401, false],
      ['nothing as a password beside it', () => ({ ...DASHBOARD, cookie, authorization: '' }), 401, false],
      [
        'a wrong cookie beside a password',
        () => ({ cookie: wrong, authorization: basic(viewer) }),
        200,
        false,
      ],
    ])('who sends %s', async (_what, headers, status, isChallenged) => {
      // So that the right one is known from a moment ago.
      expect(await who({ as: null, headers: { ...DASHBOARD, cookie } })).toBe(200);
      for (const path of [WHO, '/api/v0/hosts']) {
        const answer = await service().get(path, { as: null, headers: headers() });
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
          status,
          isChallenged ? CHALLENGE : null,
        ]);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    });

    test('by a password rather than by the cookie, whose account is another', async () => {
      const answer = await service().get(WHO, { headers: { ...DASHBOARD, cookie } });
      expect(answer.body).toMatchObject({ name: 'admin' });
    });

    test.each([
      ['a path that is not there', 'GET', '/api/v0/nothing', 404],
      ['a method that is not for it', 'GET', SESSION, 405],
      ['a head', 'HEAD', WHO, 200],
      ['the methods', 'OPTIONS', SESSION, 204],
      ['more than the role allows', 'PUT', '/api/v0/network/of-a-viewer', 403],
      ['what is for admins', 'GET', '/api/v0/users', 403],
      ['the sessions of others', 'DELETE', '/api/v0/user/admin/sessions', 403],
    ])('and answered as anybody of that role: %s', async (_what, method, path, status) => {
      const asked = (options: object) => service().request(method, path, options);
      const bySession = await asked({ as: null, headers: { ...DASHBOARD, cookie } });
      const byPassword = await asked({ as: viewer });
      expect([bySession.status, bySession.headers.get('allow')]).toEqual([
        status,
        byPassword.headers.get('allow'),
      ]);
      expect(byPassword.status).toBe(status);
    });

    test('but to begin another session, which takes a password', async () => {
      const answer = await service().put(SESSION, undefined, { as: null, headers: { ...DASHBOARD, cookie } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.body).toMatchObject({ code: 'unauthorized', detail: expect.stringContaining('Basic') });
    });

    test('and no other site is told that it may ask', async () => {
      const headers = {
        ...{ origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
        'access-control-request-headers': 'hostler-dashboard',
      };
      for (const as of [null, viewer]) {
        const answer = await service().request('OPTIONS', WHO, { as, headers });
        const names = [...answer.headers.keys()];
        expect(names.filter(name => name.startsWith('access-control-'))).toEqual([]);
      }
    });
  });

  test('do what the role may, and the log says who did it', async () => {
    const { options } = await signIn(service(), await service().makeAccount('builds', 'operator'));
    expect((await service().put('/api/v0/network/by-session', NETWORK, options)).status).toBe(201);
    const { body } = await service().get<Told[]>('/api/v0/audit?subject=by-session');
    expect(body).toMatchObject([{ type: 'network.created', actor: 'builds' }]);
  });

  test.each([
    ['an account that only enrols', () => service().makeAccount('enrols', 'enrol')],
    [
      'an enrolment token',
      async () => {
        const { body } = await service().put<{ secret: string }>('/api/v0/token/for-hosts', {});
        return `token:${body.secret}`;
      },
    ],
  ])('are not for %s', async (_what, credentials) => {
    const { response, setCookie } = await signIn(service(), await credentials());
    expect([response.status, setCookie]).toEqual([403, '']);
  });

  test('end by signing out, at once, and are told of by an id that lets nobody in', async () => {
    const as = await service().makeAccount('leaves', 'viewer');
    const [one, other] = [await signIn(service(), as), await signIn(service(), as)];
    expect([await who(one.options), await who(other.options)]).toEqual([200, 200]);
    const out = await service().delete(SESSION, one.options);
    expect([out.status, out.body, out.headers.get('set-cookie')]).toEqual([
      ...[200, []],
      'hostler-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    ]);
    expect([await who(one.options), await who(other.options), await who({ as })]).toEqual([401, 200, 200]);
    expect(await service().refusal(service().delete(SESSION, one.options))).toBe('401 unauthorized');
    const id = expect.stringMatching(/^[\w-]{16}$/);
    const entries = await told('leaves');
    expect(entries).toMatchObject([
      { type: 'account.signed_out', actor: 'leaves', data: { sessions: [id] } },
      { type: 'account.signed_in', actor: 'leaves', data: { session: id, expires_at: expect.any(String) } },
      { type: 'account.signed_in', actor: 'leaves', data: { session: id } },
    ]);
    expect(entries[0]?.data['sessions']).toEqual([entries[2]?.data['session']]);
  });

  test('stay when somebody signs out who calls by a password', async () => {
    const as = await service().makeAccount('has-both', 'viewer');
    const { options, cookie } = await signIn(service(), as);
    const out = await service().delete(SESSION, { as, headers: { cookie, 'hostler-dashboard': '1' } });
    expect([out.status, out.body]).toEqual([200, []]);
    expect(await who(options)).toBe(200);
    expect((await told('has-both')).map(({ type }) => type)).toEqual(['account.signed_in']);
  });

  test.each([
    ['an admin', undefined],
    ['the account itself', 'own'],
    ['one of them', 'session'],
  ])('all end when %s ends all of an account', async (_what, by) => {
    const name = `ends-${by ?? 'admin'}`;
    const as = await service().makeAccount(name, 'viewer');
    const all = [await signIn(service(), as), await signIn(service(), as)];
    const bystander = await signIn(service());
    const options = { session: all[0]?.options, own: { as } }[by ?? ''];
    const ended = await service().delete(`/api/v0/user/${name}/sessions`, options);
    expect([ended.status, ended.body, ended.headers.get('set-cookie')]).toEqual([200, [], null]);
    for (const each of all) expect(await who(each.options)).toBe(401);
    expect(await who(bystander.options)).toBe(200);
    const [entry] = await told(name);
    expect(entry).toMatchObject({ type: 'account.signed_out', actor: by ? name : 'admin', subject: name });
    expect(entry?.data['sessions']).toHaveLength(2);
    expect((await service().delete(`/api/v0/user/${name}/sessions`)).status).toBe(200);
    expect(await told(name)).toHaveLength(3);
  });

  test('cannot be ended of an account that is not there', async () => {
    expect(await service().refusal(service().delete('/api/v0/user/nobody/sessions'))).toBe('404 not_found');
  });

  test.each<[string, (user: string) => Promise<unknown>]>([
    ['password', user => service().put(`${user}/password`, { password: 'later' })],
    ['role', user => service().put(user, { password: 'later', role: 'operator' })],
    ['removal', user => service().delete(user)],
    [
      'return',
      async user => {
        await service().delete(user);
        await service().put(user, { password: 'later', role: 'viewer' });
      },
    ],
  ])('end at once with the %s of the account', async (what, happen) => {
    const as = await service().makeAccount(`changes-${what}`, 'viewer');
    const { options } = await signIn(service(), as);
    const stream = await open(service(), options.headers);
    expect(await who(options)).toBe(200);
    await happen(`/api/v0/user/changes-${what}`);
    expect(await who(options)).toBe(401);
    await stream.ended();
  });

  test('end also for the session that changes the own password', async () => {
    const { options } = await signIn(service(), await service().makeAccount('own-change', 'viewer'));
    const changed = await service().put('/api/v0/user/own-change/password', { password: 'later' }, options);
    expect([changed.status, await who(options)]).toEqual([200, 401]);
    expect((await signIn(service(), 'own-change:later')).response.status).toBe(201);
  });

  const endAt = (account: string, atMs: number) =>
    runSql(
      service().place,
      `update sessions set expires_at = '${formatTimestamp(atMs)}' where account = '${account}'`,
    );

  test('are over at their end, and streams with them', async () => {
    const as = await service().makeAccount('expires', 'viewer');
    const { options } = await signIn(service(), as);
    await endAt('expires', Date.now() + 1500);
    const stream = await open(service(), options.headers);
    await stream.ended();
    expect(await who(options)).toBe(401);
    expect(await service().store.reads.sessions.of(recordNameOf('expires'))).toHaveLength(1);
    await signIn(service());
    expect(await service().store.reads.sessions.of(recordNameOf('expires'))).toHaveLength(0);
  });

  test('end the streams of events that were opened by them, and no others', async () => {
    const as = await service().makeAccount('follows', 'viewer');
    const [one, other] = [await signIn(service(), as), await signIn(service(), as)];
    const [ending, staying] = [
      await open(service(), one.options.headers),
      await open(service(), other.options.headers),
    ];
    await service().delete(SESSION, one.options);
    await ending.ended();
    await service().put('/api/v0/network/after-sign-out', NETWORK);
    await staying.has('network.created');
    expect(staying.text).not.toContain('account.');
    await service().delete('/api/v0/user/follows/sessions');
    await staying.ended();
  });

  test('are told of to admins, never with the secret', async () => {
    const stream = await OpenStream.open(`${service().url}/api/v0/events`);
    streams.push(stream);
    const { options, cookie } = await signIn(service());
    await service().put('/api/v0/network/!', NETWORK, options);
    await service().delete(SESSION, options);
    const refused = await service().get(WHO, options);
    await stream.has('account.signed_out');
    const { text } = await service().get('/api/v0/audit?limit=1000');
    const secret = cookie.split('=')[1] ?? '';
    expect(secret).toMatch(SECRET);
    for (const said of [stream.text, text, refused.text]) {
      expect(said).not.toMatch(SECRET);
      expect(said).not.toContain(secret.slice(4));
    }
  });
});

onEachStore(
  'signing in with a small limit of failed logins',
  service => {
    test('is refused with 429 after too many guesses, without a challenge; who is signed in goes on', async () => {
      const { options } = await signIn(service());
      const statuses = [];
      for (let guess = 0; guess < 5; guess += 1) {
        const { response } = await signIn(service(), `admin:guess-${guess}`);
        statuses.push([response.status, response.headers.get('www-authenticate')]);
      }
      expect(statuses).toEqual([
        [401, null],
        [401, null],
        [401, null],
        [429, null],
        [429, null],
      ]);
      expect((await service().get(WHO, options)).status).toBe(200);
      const wrong = { ...options.headers, cookie: `hostler-session=hss_${'x'.repeat(43)}` };
      for (let guess = 0; guess < 5; guess += 1)
        expect((await service().get(WHO, { as: null, headers: wrong })).status).toBe(401);
    });
  },
  { HOSTLER_LIMIT_FAILED_LOGINS: '3' },
);

describe('the cookie of a session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { HOSTLER_TRUST_PROXY: '127.0.0.1', HOSTLER_SESSION_S: '60' });
  });
  afterAll(() => service.stop());
  const names = (cookie: string) => cookie.split('=')[0];

  test.each([
    ['that speaks TLS', 'https', '__Host-hostler-session'],
    ['that does not', 'http', 'hostler-session'],
    ['behind one that says otherwise', 'https, http', 'hostler-session'],
  ])('behind a trusted proxy %s', async (_what, protocol, name) => {
    const headers = { 'x-forwarded-proto': protocol };
    const { setCookie, cookie, options } = await signIn(service, undefined, headers);
    expect([names(cookie), setCookie.endsWith('; Secure')]).toEqual([name, name.startsWith('__Host-')]);
    expect(setCookie).toContain('; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
    expect((await service.get(WHO, options)).status).toBe(200);
    const out = await service.delete(SESSION, options);
    expect(names(out.headers.get('set-cookie') ?? '')).toBe(name);
  });

  test('for TLS does not count without it, nor the other with it', async () => {
    const [secure, plain] = [
      await signIn(service, undefined, { 'x-forwarded-proto': 'https' }),
      await signIn(service),
    ];
    for (const [{ cookie }, protocol] of [
      [secure, 'http'],
      [plain, 'https'],
    ] as const) {
      const headers = { 'hostler-dashboard': '1', cookie, 'x-forwarded-proto': protocol };
      expect((await service.get(WHO, { as: null, headers })).status).toBe(401);
    }
  });

  test('says nothing of TLS that a proxy claims whom nobody trusts', async () => {
    const untrusting = await startTestService('sqlite');
    const { cookie } = await signIn(untrusting, undefined, { 'x-forwarded-proto': 'https' });
    expect(names(cookie)).toBe('hostler-session');
    await untrusting.stop();
  });

  test('over TLS has the name that only this host can set', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostler-session-'));
    const { cert, key } = makeCertificate(folder);
    const ca = readFileSync(cert);
    const overTls = await startTestService('sqlite', { HOSTLER_TLS_CERT: cert, HOSTLER_TLS_KEY: key });
    const ask = async (method: string, to: string, headers: Record<string, string>) => {
      const call = requestHttps(overTls.url + to, { method, headers, ca, agent: false });
      call.end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response;
    };
    const begun = await ask('PUT', SESSION, { authorization: basic(`admin:${ADMIN_PASSWORD}`) });
    const [setCookie = ''] = begun.headers['set-cookie'] ?? [];
    expect(setCookie.replace(SECRET, 'SECRET')).toBe(
      '__Host-hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict; Secure',
    );
    const cookie = setCookie.split(';')[0] ?? '';
    const own = await ask('GET', WHO, { 'hostler-dashboard': '1', cookie });
    expect([begun.statusCode, own.statusCode]).toEqual([201, 200]);
    await overTls.stop();
    rmSync(folder, { recursive: true });
  });
});

test('a session outlives a restart of the service', async () => {
  const place = await makeStorePlace('sqlite');
  const settings = {
    HOSTLER_DATA: place.folder,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const before = await startTestService('sqlite', settings);
  const { options } = await signIn(before);
  await before.stop();
  const after = await startTestService('sqlite', settings);
  expect((await after.get(WHO, options)).status).toBe(200);
  await after.stop();
  await place.remove();
});

describePostgres('sessions of two servers on one PostgreSQL', () => {
  let services: [TestService, TestService];
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key);
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.place.location })];
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test.each<[string, string, (one: TestService, options: object, user: string) => Promise<unknown>]>([
    ['its sign-out', 'leaves', (one, options) => one.delete(SESSION, options)],
    ['the sign-out of all', 'is-ended', (one, _, user) => one.delete(`${user}/sessions`)],
    ['another password', 'changes', (one, _, user) => one.put(`${user}/password`, { password: 'later' })],
  ])('count on both, and end on the other with %s', async (_what, name, end) => {
    const [one, other] = services;
    const { options } = await signIn(one, await one.makeAccount(name, 'viewer'));
    const status = async () => (await other.get(WHO, options)).status;
    const stream = await open(other, options.headers);
    expect(await status()).toBe(200);
    await end(one, options, `/api/v0/user/${name}`);
    await stream.ended();
    // What ended the stream has been heard of by all on that server.
    expect(await status()).toBe(401);
  });
});
