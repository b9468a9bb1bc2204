// How a session begins, and what its cookie is like.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTimestamp } from '../../src/domain/timestamp.ts';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';
import { SESSION_SECRET, signIn, WRONG_COOKIE } from '../harness/sign-in.ts';

const SESSION = '/api/v0/session';
const WHO = '/api/v0/user';
const LASTS_MS = 28_800_000;

const nameOf = (cookie: string) => cookie.split('=')[0];

describe('a session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', {}, QUICK_HASHER);
  });
  afterAll(() => service.stop());

  test('begins with a password: the cookie is for this host alone, no script reads it, no other site sends it', async () => {
    const { response, setCookie, options } = await signIn(service);
    expect([response.status, response.body]).toEqual([
      201,
      { account: 'admin', role: 'admin', expires_at: expect.any(String) },
    ]);
    const lastsMs = parseTimestamp(response.body.expires_at) - Date.now();
    expect(Math.abs(lastsMs - LASTS_MS)).toBeLessThan(60_000);
    expect(setCookie.replace(SESSION_SECRET, 'SECRET')).toBe(
      'hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict',
    );
    const own = await service.get(WHO, options);
    expect([own.status, own.body]).toMatchObject([200, { name: 'admin', role: 'admin' }]);
    expect(own.headers.get('set-cookie')).toBeNull();
    expect(own.headers.get('hostler-event')).toMatch(/^\d+$/);
  });

  test('has nothing of the TLS that a proxy claims whom nobody trusts', async () => {
    const { cookie } = await signIn(service, undefined, { 'x-forwarded-proto': 'https' });
    expect(nameOf(cookie)).toBe('hostler-session');
  });
});

describe('a session behind a trusted proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      {
        ...{ HOSTLER_TRUST_PROXY: '127.0.0.1', HOSTLER_SESSION_LIFETIME_S: '60' },
        HOSTLER_LIMIT_FAILED_LOGINS: '3',
      },
      QUICK_HASHER,
    );
  });
  afterAll(() => service.stop());

  test.each([
    ['that speaks TLS', 'https', '__Host-hostler-session'],
    ['that does not', 'http', 'hostler-session'],
    ['behind one that says otherwise', 'https, http', 'hostler-session'],
  ])('%s has the name for that', async (_what, protocol, name) => {
    const headers = { 'x-forwarded-proto': protocol };
    const { setCookie, cookie, options } = await signIn(service, undefined, headers);
    expect([nameOf(cookie), setCookie.endsWith('; Secure')]).toEqual([name, name.startsWith('__Host-')]);
    expect(setCookie).toContain('; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
    expect((await service.get(WHO, options)).status).toBe(200);
    const out = await service.delete(SESSION, options);
    expect(nameOf(out.headers.get('set-cookie') ?? '')).toBe(name);
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

  test('goes on when signing in is refused with 429 after too many guesses, without a challenge', async () => {
    const { options } = await signIn(service);
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) {
      const { response } = await signIn(service, `admin:guess-${guess}`);
      statuses.push([response.status, response.headers.get('www-authenticate')]);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429].map(status => [status, null]));
    expect((await service.get(WHO, options)).status).toBe(200);
    const wrong = { ...options.headers, cookie: WRONG_COOKIE };
    for (let guess = 0; guess < 5; guess += 1)
      expect((await service.get(WHO, { as: null, headers: wrong })).status).toBe(401);
  });
});

test('a session over TLS has the name that only this host can set', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-session-'));
  const { cert, key } = makeCertificate(folder);
  const ca = readFileSync(cert);
  const service = await startTestService(
    'sqlite',
    { HOSTLER_TLS_CERT: cert, HOSTLER_TLS_KEY: key },
    QUICK_HASHER,
  );
  const ask = async (method: string, to: string, headers: Record<string, string>) => {
    const call = requestHttps(service.url + to, { method, headers, ca, agent: false });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  };
  const begun = await ask('PUT', SESSION, { authorization: basic(`admin:${ADMIN_PASSWORD}`) });
  const [setCookie = ''] = begun.headers['set-cookie'] ?? [];
  expect(setCookie.replace(SESSION_SECRET, 'SECRET')).toBe(
    '__Host-hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict; Secure',
  );
  const cookie = setCookie.split(';')[0] ?? '';
  const own = await ask('GET', WHO, { 'hostler-dashboard': '1', cookie });
  expect([begun.statusCode, own.statusCode]).toEqual([201, 200]);
  await service.stop();
  rmSync(folder, { recursive: true });
});
