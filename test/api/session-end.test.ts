import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { followEvents, signIn } from '../harness/session-fixtures.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { createTestDatabase } from '../harness/stores/stores.ts';

const SESSION = '/api/v0/session';
const USER = '/api/v0/user';

interface AuditEntry {
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describeServer(
  'sessions',
  service => {
    const sessionEvents = async (subject: string) => {
      const { body } = await service().get<AuditEntry[]>(`/api/v0/audit?limit=1000&subject=${subject}`);
      return body.filter(({ type }) => type.startsWith('account.signed_'));
    };
    const statusWith = async (options: Parameters<TestService['get']>[1]) =>
      (await service().get(USER, options)).status;

    test('DELETE /session ends the session immediately and records an ID that does not authenticate', async () => {
      const as = await service().makeAccount('leaves', 'viewer');
      const [first, second] = [await signIn(service(), as), await signIn(service(), as)];
      expect([await statusWith(first.options), await statusWith(second.options)]).toEqual([200, 200]);
      const signOut = await service().delete(SESSION, first.options);
      expect([signOut.status, signOut.body, signOut.headers.get('set-cookie')]).toEqual([
        ...[200, []],
        'hostler-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
      ]);
      expect([await statusWith(first.options), await statusWith(second.options), await statusWith({ as })]).toEqual([
        401, 200, 200,
      ]);
      expect(await service().errorCode(service().delete(SESSION, first.options))).toBe('401 unauthorized');
      const byPassword = { as, headers: { cookie: second.cookie } };
      expect((await service().delete(SESSION, byPassword)).body).toEqual([]);
      // A DELETE with a password ends no session.
      expect(await statusWith(second.options)).toBe(200);
      const id = expect.stringMatching(/^[\w-]{16}$/);
      const entries = await sessionEvents('leaves');
      expect(entries).toMatchObject([
        { type: 'account.signed_out', actor: 'leaves', data: { sessions: [id] } },
        { type: 'account.signed_in', actor: 'leaves', data: { session: id, expires_at: expect.any(String) } },
        { type: 'account.signed_in', actor: 'leaves', data: { session: id } },
      ]);
      expect(entries[0]?.data['sessions']).toEqual([entries[2]?.data['session']]);
    });

    test('an admin, the account or one of its sessions can end all sessions of an account', async () => {
      const as = await service().makeAccount('ends', 'viewer');
      const bystander = await signIn(service());
      const endSessions = (options?: RequestOptions) => service().delete('/api/v0/user/ends/sessions', options);
      for (const by of ['admin', 'account', 'session'] as const) {
        const all = [await signIn(service(), as), await signIn(service(), as)];
        const response = await endSessions({ admin: undefined, account: { as }, session: all[0]?.options }[by]);
        expect([response.status, response.body, response.headers.get('set-cookie')]).toEqual([200, [], null]);
        for (const session of all) expect(await statusWith(session.options)).toBe(401);
        const [entry] = await sessionEvents('ends');
        const actor = by === 'admin' ? 'admin' : 'ends';
        expect(entry).toMatchObject({ type: 'account.signed_out', actor, subject: 'ends' });
        expect(entry?.data['sessions']).toHaveLength(2);
      }
      expect(await statusWith(bystander.options)).toBe(200);
      const before = (await sessionEvents('ends')).length;
      expect((await endSessions()).status).toBe(200);
      expect(await sessionEvents('ends')).toHaveLength(before);
    });

    test('returns 404 for the sessions of an unknown account', async () => {
      expect(await service().errorCode(service().delete('/api/v0/user/unknown/sessions'))).toBe('404 not_found');
    });

    test.each<[string, (user: string, ownSession: RequestOptions) => Promise<unknown>]>([
      ['password change', user => service().put(`${user}/password`, { password: 'later' })],
      [
        'own password change',
        (user, ownSession) => service().put(`${user}/password`, { password: 'later' }, ownSession),
      ],
      ['role and password change', user => service().put(user, { password: 'later', role: 'operator' })],
      ['role change', user => service().put(user, { role: 'operator' })],
      ['removal', user => service().delete(user)],
      [
        'recreation',
        async user => {
          await service().delete(user);
          await service().put(user, { password: 'later', role: 'viewer' });
        },
      ],
    ])('end immediately after the %s of the account', async (change, applyChange) => {
      const name = `changes-${change.replaceAll(' ', '-')}`;
      const { options } = await signIn(service(), await service().makeAccount(name, 'viewer'));
      const stream = await followEvents(service(), options);
      expect(await statusWith(options)).toBe(200);
      await service().put('/api/v0/session/confirmation', { current_password: `password of ${name}` }, options);
      await applyChange(`/api/v0/user/${name}`, options);
      expect(await statusWith(options)).toBe(401);
      await stream.waitForEnd();
    });
  },
  {},
);

test('a session survives a restart of the server', async () => {
  const database = await createTestDatabase('sqlite');
  const settings = {
    HOSTLER_DATA: database.folder,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const before = await startTestService('sqlite', settings);
  const { options } = await signIn(before);
  await before.stop();
  const after = await startTestService('sqlite', settings);
  expect((await after.get(USER, options)).status).toBe(200);
  await after.stop();
  await database.remove();
});
