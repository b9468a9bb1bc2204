// Creation of a session and its cookie.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTimestamp } from '../../src/domain/timestamp.ts';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { SESSION_SECRET, signIn, WRONG_COOKIE } from '../harness/session-fixtures.ts';

const SESSION = '/api/v0/session';
const USER = '/api/v0/user';
const LIFETIME_MS = 28_800_000;

const nameOf = (cookie: string) => cookie.split('=')[0];

describe('PUT /session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
  });
  afterAll(() => service.stop());

  test('returns a host-only, HttpOnly, SameSite=Strict cookie for a password', async () => {
    const { response, setCookie, options } = await signIn(service);
    expect([response.status, response.body]).toEqual([
      201,
      { account: 'admin', role: 'admin', expires_at: expect.any(String) },
    ]);
    const lifetimeMs = parseTimestamp(response.body.expires_at) - Date.now();
    expect(Math.abs(lifetimeMs - LIFETIME_MS)).toBeLessThan(60_000);
    expect(setCookie.replace(SESSION_SECRET, 'SECRET')).toBe(
      'hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict',
    );
    const user = await service.get(USER, options);
    expect([user.status, user.body]).toMatchObject([200, { name: 'admin', role: 'admin' }]);
    expect(user.headers.get('set-cookie')).toBeNull();
    expect(user.headers.get('hostler-event')).toMatch(/^\d+$/);
  });

  test('ignores X-Forwarded-Proto of an untrusted proxy', async () => {
    const { cookie } = await signIn(service, undefined, { 'x-forwarded-proto': 'https' });
    expect(nameOf(cookie)).toBe('hostler-session');
  });
});

describe('PUT /session behind a trusted proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', {
      ...{ HOSTLER_TRUST_PROXY: '127.0.0.1', HOSTLER_SESSION_LIFETIME_S: '60' },
      HOSTLER_LIMIT_FAILED_LOGINS: '3',
    });
  });
  afterAll(() => service.stop());

  test.each([
    ['TLS', 'https', '__Host-hostler-session'],
    ['plain HTTP', 'http', 'hostler-session'],
    ['a chain with plain HTTP last', 'https, http', 'hostler-session'],
  ])('%s sets the matching cookie name', async (_case, protocol, name) => {
    const headers = { 'x-forwarded-proto': protocol };
    const { setCookie, cookie, options } = await signIn(service, undefined, headers);
    expect([nameOf(cookie), setCookie.endsWith('; Secure')]).toEqual([name, name.startsWith('__Host-')]);
    expect(setCookie).toContain('; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
    expect((await service.get(USER, options)).status).toBe(200);
    const signOut = await service.delete(SESSION, options);
    expect(nameOf(signOut.headers.get('set-cookie') ?? '')).toBe(name);
  });

  test('accepts a cookie only with the protocol it was created for', async () => {
    const [secure, plain] = [await signIn(service, undefined, { 'x-forwarded-proto': 'https' }), await signIn(service)];
    for (const [{ cookie }, protocol] of [
      [secure, 'http'],
      [plain, 'https'],
    ] as const) {
      const headers = { 'hostler-dashboard': '1', cookie, 'x-forwarded-proto': protocol };
      expect((await service.get(USER, { as: null, headers })).status).toBe(401);
    }
  });

  test('existing sessions keep working when logins are rejected with 429, without a challenge', async () => {
    const { options } = await signIn(service);
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) {
      const { response } = await signIn(service, `admin:guess-${guess}`);
      statuses.push([response.status, response.headers.get('www-authenticate')]);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429].map(status => [status, null]));
    expect((await service.get(USER, options)).status).toBe(200);
    const wrong = { ...options.headers, cookie: WRONG_COOKIE };
    for (let guess = 0; guess < 5; guess += 1)
      expect((await service.get(USER, { as: null, headers: wrong })).status).toBe(401);
  });
});

test('a session over TLS has a __Host- cookie', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-session-'));
  const { cert, key } = createCertificate(folder);
  const ca = readFileSync(cert);
  const service = await startTestService('sqlite', { HOSTLER_TLS_CERT: cert, HOSTLER_TLS_KEY: key });
  const send = async (method: string, to: string, headers: Record<string, string>) => {
    const call = requestHttps(service.url + to, { method, headers, ca, agent: false });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  };
  const created = await send('PUT', SESSION, { authorization: basic(`admin:${ADMIN_PASSWORD}`) });
  const [setCookie = ''] = created.headers['set-cookie'] ?? [];
  expect(setCookie.replace(SESSION_SECRET, 'SECRET')).toBe(
    '__Host-hostler-session=SECRET; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict; Secure',
  );
  const cookie = setCookie.split(';')[0] ?? '';
  const user = await send('GET', USER, { 'hostler-dashboard': '1', cookie });
  expect([created.statusCode, user.statusCode]).toEqual([201, 200]);
  await service.stop();
  rmSync(folder, { recursive: true });
});
