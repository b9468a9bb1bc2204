import { expect, test } from 'vitest';
import { basic } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/);

onEachStore('accounts', service => {
  const me = (as: string) => service().get('/api/v0/user', { as });
  const user = (name: string) => `/api/v0/user/${name}`;

  test('an account is created, can log in, and is never shown with its password', async () => {
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

  test('a PUT on an account that exists sets its password and role, and counts at once', async () => {
    await service().put(user('bob'), { password: 'one', role: 'viewer' });
    expect((await me('bob:one')).status).toBe(200);
    const changed = await service().put(user('bob'), { password: 'two', role: 'operator' });
    expect([changed.status, changed.body]).toMatchObject([200, { role: 'operator' }]);
    expect((await me('bob:one')).status).toBe(401);
    expect((await me('bob:two')).body).toMatchObject({ role: 'operator' });
  });

  test('everyone may change their own password, and nobody but an admin that of others', async () => {
    for (const role of ['viewer', 'operator', 'enrol'] as const) {
      const as = await service().makeAccount(`own-${role}`, role);
      const changed = await service().put(`${user(`own-${role}`)}/password`, { password: 'new' }, { as });
      expect([changed.status, changed.body]).toMatchObject([200, { name: `own-${role}`, role }]);
      expect(await service().refusal(service().get('/api/v0/networks/', { as }))).toBe('401 unauthorized');
      const other = service().put(
        `${user('ann')}/password`,
        { password: 'stolen' },
        { as: `own-${role}:new` },
      );
      expect(await service().refusal(other)).toBe('403 forbidden');
    }
    expect((await service().put(`${user('own-viewer')}/password`, { password: 'given' })).status).toBe(200);
    expect((await me('own-viewer:given')).status).toBe(200);
    expect(await service().refusal(service().put(`${user('nobody')}/password`, { password: 'x' }))).toBe(
      '404 not_found',
    );
  });

  test('a removed account cannot log in from that moment on', async () => {
    const as = await service().makeAccount('leaver', 'viewer');
    expect((await me(as)).status).toBe(200);
    const removed = await service().delete(user('leaver'));
    expect([removed.status, removed.body]).toEqual([200, []]);
    expect((await me(as)).status).toBe(401);
    expect(await service().refusal(service().delete(user('leaver')))).toBe('404 not_found');
    expect(await service().refusal(service().get(user('leaver')))).toBe('404 not_found');
  });

  test('the last admin can be neither removed nor made less', async () => {
    expect(await service().refusal(service().delete(user('admin')))).toBe('409 last_admin');
    const demotion = service().put(user('admin'), { password: 'x', role: 'viewer' });
    expect(await service().refusal(demotion)).toBe('409 last_admin');
    expect((await service().get('/api/v0/user')).body).toMatchObject({ role: 'admin' });
  });

  test('two admins that remove each other at once leave one', async () => {
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
  ])('PUT %s with %j is refused with %s', async (path, body, refusal) => {
    expect(await service().refusal(service().put(path, body))).toBe(refusal);
    expect((await service().get(user('new'))).status).toBe(404);
  });

  test.each(['with:colon::s', ':', ' ', 'pässwörd ✓ 密码', 'x', 'a'.repeat(2000)])(
    'any password will do, such as %j',
    async password => {
      await service().put(user('typist'), { password, role: 'viewer' });
      expect((await me(`typist:${password}`)).status).toBe(200);
    },
  );

  test.each([
    ['none at all', {}],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['no base64', { authorization: 'Basic ???' }],
    ['an empty token', { authorization: 'Basic ' }],
    ['no colon', { authorization: basic('admin') }],
    ['no user', { authorization: basic(':correct horse') }],
    ['no password', { authorization: basic('admin:') }],
    ['a wrong password', { authorization: basic('admin:wrong') }],
    ['an unknown user', { authorization: basic('nobody:correct horse') }],
    ['the reserved user', { authorization: basic('token:correct horse') }],
    ['no UTF-8', { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}` }],
    ['a user that is no name', { authorization: basic("' or 1=1 --:x") }],
  ])('credentials with %s are answered by 401 and a challenge', async (_what, headers) => {
    const {
      status,
      headers: answered,
      body,
    } = await service().get('/api/v0/networks/', { as: null, headers });
    expect([status, answered.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="hostler", charset="UTF-8"',
    ]);
    expect(answered.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test('accounts are listed in pages', async () => {
    const { body: all } = await service().get<{ name: string }[]>('/api/v0/users');
    const { body: page, headers } = await service().get<{ name: string }[]>('/api/v0/users?limit=2');
    expect(page).toEqual(all.slice(0, 2));
    expect(headers.get('link')).toContain(`after=${all[1]?.name}`);
    expect((await service().get('/api/v0/users?after=admin')).body).toEqual(all.slice(1));
  });
});

onEachStore(
  'a small limit of failed logins',
  service => {
    test('refuses with 429 and Retry-After, even the right password, until time has passed', async () => {
      const attempt = (as: string) => service().get('/api/v0/networks/', { as });
      const statuses = [];
      for (let count = 0; count < 5; count += 1)
        statuses.push((await attempt(`guess-${count}:wrong`)).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const refused = await attempt('admin:correct horse');
      expect([refused.status, refused.body]).toMatchObject([429, { code: 'too_many_failed_logins' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await service().get('/healthz', { as: null })).status).toBe(200);
    });
  },
  { HOSTLER_LIMIT_FAILED_LOGINS: '3' },
);
