import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { basic } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/);

describeServer('accounts', service => {
  const me = (as: string) => service().get('/api/v0/user', { as });
  const user = (name: string) => `/api/v0/user/${name}`;

  test('PUT creates an account that can log in, and no response contains its password', async () => {
    const created = await service().put(user('ann'), { password: 'apple', role: 'viewer' });
    expect([created.status, created.body]).toEqual([
      201,
      { name: 'ann', role: 'viewer', created_at: TIME, changed_at: TIME },
    ]);
    const own = await me('ann:apple');
    expect([own.status, own.body]).toMatchObject([200, { name: 'ann', role: 'viewer' }]);
    expect((await service().get(user('ann'))).body).toEqual(own.body);
    const { text } = await service().get('/api/v0/users');
    expect(text).toContain('"ann"');
    expect(text).not.toMatch(/apple|argon2|password/);
  });

  test('PUT on an existing account changes its password and role immediately', async () => {
    await service().put(user('bob'), { password: 'one', role: 'viewer' });
    expect((await me('bob:one')).status).toBe(200);
    const changed = await service().put(user('bob'), { password: 'two', role: 'operator' });
    expect([changed.status, changed.body]).toMatchObject([200, { role: 'operator' }]);
    expect((await me('bob:one')).status).toBe(401);
    expect((await me('bob:two')).body).toMatchObject({ role: 'operator' });
  });

  test('PUT without a password changes only the role', async () => {
    const as = await service().makeAccount('cleo', 'viewer');
    const before = await service().get<{ changed_at: string }>(user('cleo'));
    const repeated = await service().put(user('cleo'), { role: 'viewer' });
    expect([repeated.status, repeated.body]).toEqual([200, before.body]);
    const changed = await service().put(user('cleo'), { role: 'operator' });
    expect([changed.status, changed.body]).toMatchObject([200, { role: 'operator' }]);
    expect((await me(as)).body).toMatchObject({ role: 'operator' });
    const { body } = await service().get<{ type: string }[]>('/api/v0/audit?subject=cleo');
    expect(body.map(({ type }) => type)).toEqual(['account.changed', 'account.created']);
  });

  test('PUT without a password creates no account', async () => {
    const { status, body } = await service().put<Problem>(user('unknown'), { role: 'viewer' });
    expect([status, body.errors]).toEqual([400, [{ path: '/password', message: 'is required for a new account' }]]);
    expect((await service().get(user('unknown'))).status).toBe(404);
  });

  test('every account can change its own password, and only an admin can change another one', async () => {
    for (const role of ['viewer', 'operator', 'enrol'] as const) {
      const as = await service().makeAccount(`own-${role}`, role);
      const changed = await service().put(`${user(`own-${role}`)}/password`, { password: 'new' }, { as });
      expect([changed.status, changed.body]).toMatchObject([200, { name: `own-${role}`, role }]);
      expect(await service().errorCode(service().get('/api/v0/networks/', { as }))).toBe('401 unauthorized');
      const other = service().put(`${user('ann')}/password`, { password: 'stolen' }, { as: `own-${role}:new` });
      expect(await service().errorCode(other)).toBe('403 forbidden');
    }
    expect((await service().put(`${user('own-viewer')}/password`, { password: 'given' })).status).toBe(200);
    expect((await me('own-viewer:given')).status).toBe(200);
    expect(await service().errorCode(service().put(`${user('unknown')}/password`, { password: 'x' }))).toBe(
      '404 not_found',
    );
  });

  test('a removed account cannot log in', async () => {
    const as = await service().makeAccount('leaver', 'viewer');
    expect((await me(as)).status).toBe(200);
    const removed = await service().delete(user('leaver'));
    expect([removed.status, removed.body]).toEqual([200, []]);
    expect((await me(as)).status).toBe(401);
    expect(await service().errorCode(service().delete(user('leaver')))).toBe('404 not_found');
    expect(await service().errorCode(service().get(user('leaver')))).toBe('404 not_found');
  });

  test('the last admin cannot be removed or demoted', async () => {
    expect(await service().errorCode(service().delete(user('admin')))).toBe('409 last_admin');
    for (const password of ['x', undefined]) {
      const demotion = service().put(user('admin'), { password, role: 'viewer' });
      expect(await service().errorCode(demotion)).toBe('409 last_admin');
    }
    expect((await service().get('/api/v0/user')).body).toMatchObject({ role: 'admin' });
  });

  test('one admin remains when two admins remove each other concurrently', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const other = await service().makeAccount('rival', 'admin');
      await me(other);
      const [mine, theirs] = await Promise.all([
        service().delete(user('rival')),
        service().delete(user('admin'), { as: other }),
      ]);
      expect([mine.status, theirs.status].filter(status => status === 200)).toHaveLength(1);
      if (theirs.status === 200)
        await service().put(user('admin'), { password: 'correct horse', role: 'admin' }, { as: other });
    }
    expect((await service().get('/api/v0/user')).status).toBe(200);
    await service().delete(user('rival'));
  });

  test.each([
    [user('token'), { password: 'x', role: 'viewer' }, '400 reserved_name'],
    [user('a b'), { password: 'x', role: 'viewer' }, '400 invalid_name'],
    [user('new'), { password: '', role: 'viewer' }, '400 invalid_body'],
    [user('new'), { role: 'viewer' }, '400 invalid_body'],
    [user('new'), { password: 'x'.repeat(2049), role: 'viewer' }, '400 invalid_body'],
    [user('new'), { password: 'x' }, '400 invalid_body'],
    [user('new'), { password: 'x', role: 'root' }, '400 invalid_body'],
    [user('new'), { password: 'x', role: 'viewer', name: 'other' }, '400 path_mismatch'],
  ])('PUT %s with %j returns %s', async (path, body, expected) => {
    expect(await service().errorCode(service().put(path, body))).toBe(expected);
    expect((await service().get(user('new'))).status).toBe(404);
  });

  test.each(['with:colon::s', ':', ' ', 'pässwörd ✓ 密码', 'x', 'a'.repeat(2000)])(
    'accepts the password %j',
    async password => {
      await service().put(user('typist'), { password, role: 'viewer' });
      expect((await me(`typist:${password}`)).status).toBe(200);
    },
  );

  test.each([
    ['missing credentials', {}],
    ['another authentication scheme', { authorization: 'Bearer abc' }],
    ['invalid base64', { authorization: 'Basic ???' }],
    ['an empty token', { authorization: 'Basic ' }],
    ['credentials without a colon', { authorization: basic('admin') }],
    ['an empty user name', { authorization: basic(':correct horse') }],
    ['an empty password', { authorization: basic('admin:') }],
    ['a wrong password', { authorization: basic('admin:wrong') }],
    ['an unknown user', { authorization: basic('unknown:correct horse') }],
    ['the reserved user name', { authorization: basic('token:correct horse') }],
    ['invalid UTF-8', { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}` }],
    ['an invalid user name', { authorization: basic("' or 1=1 --:x") }],
  ])('returns 401 with a challenge for %s', async (_case, headers) => {
    const { status, headers: responseHeaders, body } = await service().get('/api/v0/networks/', { as: null, headers });
    expect([status, responseHeaders.get('www-authenticate')]).toEqual([401, 'Basic realm="hostler", charset="UTF-8"']);
    expect(responseHeaders.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test('GET /users returns pages', async () => {
    const { body: all } = await service().get<{ name: string }[]>('/api/v0/users');
    const { body: page, headers } = await service().get<{ name: string }[]>('/api/v0/users?limit=2');
    expect(page).toEqual(all.slice(0, 2));
    expect(headers.get('link')).toContain(`after=${all[1]?.name}`);
    expect((await service().get('/api/v0/users?after=admin')).body).toEqual(all.slice(1));
  });
});

describeServer(
  'HOSTLER_LIMIT_FAILED_LOGINS',
  service => {
    test('rejects logins above the limit with 429 and Retry-After, even with the correct password', async () => {
      const attempt = (as: string) => service().get('/api/v0/networks/', { as });
      const statuses = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await attempt(`guess-${count}:wrong`)).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const response = await attempt('admin:correct horse');
      expect([response.status, response.body]).toMatchObject([429, { code: 'too_many_failed_logins' }]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await service().get('/healthz', { as: null })).status).toBe(200);
    });
  },
  { HOSTLER_LIMIT_FAILED_LOGINS: '3' },
);
