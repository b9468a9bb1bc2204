// What ends a session, and what does not.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { follow, signIn } from '../harness/sign-in.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { makeStorePlace } from '../harness/stores/stores.ts';

const SESSION = '/api/v0/session';
const WHO = '/api/v0/user';

interface Told {
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

onEachStore(
  'sessions',
  service => {
    const told = async (subject: string) => {
      const { body } = await service().get<Told[]>(`/api/v0/audit?limit=1000&subject=${subject}`);
      return body.filter(({ type }) => type.startsWith('account.signed_'));
    };
    const who = async (options: Parameters<TestService['get']>[1]) =>
      (await service().get(WHO, options)).status;

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
      const byPassword = { as, headers: { cookie: other.cookie } };
      expect((await service().delete(SESSION, byPassword)).body).toEqual([]);
      // Who calls by a password signs out of nothing.
      expect(await who(other.options)).toBe(200);
      const id = expect.stringMatching(/^[\w-]{16}$/);
      const entries = await told('leaves');
      expect(entries).toMatchObject([
        { type: 'account.signed_out', actor: 'leaves', data: { sessions: [id] } },
        { type: 'account.signed_in', actor: 'leaves', data: { session: id, expires_at: expect.any(String) } },
        { type: 'account.signed_in', actor: 'leaves', data: { session: id } },
      ]);
      expect(entries[0]?.data['sessions']).toEqual([entries[2]?.data['session']]);
    });

    test('all end when an admin, the account itself or one of them ends all of an account', async () => {
      const as = await service().makeAccount('ends', 'viewer');
      const bystander = await signIn(service());
      const end = (options?: RequestOptions) => service().delete('/api/v0/user/ends/sessions', options);
      for (const by of ['admin', 'account', 'session'] as const) {
        const all = [await signIn(service(), as), await signIn(service(), as)];
        const ended = await end({ admin: undefined, account: { as }, session: all[0]?.options }[by]);
        expect([ended.status, ended.body, ended.headers.get('set-cookie')]).toEqual([200, [], null]);
        for (const each of all) expect(await who(each.options)).toBe(401);
        const [entry] = await told('ends');
        const actor = by === 'admin' ? 'admin' : 'ends';
        expect(entry).toMatchObject({ type: 'account.signed_out', actor, subject: 'ends' });
        expect(entry?.data['sessions']).toHaveLength(2);
      }
      expect(await who(bystander.options)).toBe(200);
      const before = (await told('ends')).length;
      expect((await end()).status).toBe(200);
      expect(await told('ends')).toHaveLength(before);
    });

    test('cannot be ended of an account that is not there', async () => {
      expect(await service().refusal(service().delete('/api/v0/user/nobody/sessions'))).toBe('404 not_found');
    });

    test.each<[string, (user: string, own: RequestOptions) => Promise<unknown>]>([
      ['password', user => service().put(`${user}/password`, { password: 'later' })],
      ['own change', (user, own) => service().put(`${user}/password`, { password: 'later' }, own)],
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
      const name = `changes-${what.replace(' ', '-')}`;
      const { options } = await signIn(service(), await service().makeAccount(name, 'viewer'));
      const stream = await follow(service(), options);
      expect(await who(options)).toBe(200);
      await service().put(
        '/api/v0/session/confirmation',
        { current_password: `password of ${name}` },
        options,
      );
      await happen(`/api/v0/user/${name}`, options);
      expect(await who(options)).toBe(401);
      await stream.ended();
    });
  },
  {},
  QUICK_HASHER,
);

test('a session outlives a restart of the service', async () => {
  const place = await makeStorePlace('sqlite');
  const settings = {
    HOSTLER_DATA: place.folder,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const before = await startTestService('sqlite', settings, QUICK_HASHER);
  const { options } = await signIn(before);
  await before.stop();
  const after = await startTestService('sqlite', settings, QUICK_HASHER);
  expect((await after.get(WHO, options)).status).toBe(200);
  await after.stop();
  await place.remove();
});
