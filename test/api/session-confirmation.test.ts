// From a session, changes of accounts, tokens and credentials require the password again. A session without
// confirmation must not change them, a confirmation is valid only for its session, and requests with a
// password need none.

import { describe, expect, test } from 'vitest';
import type { RouteName } from '../../src/contract/index.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import type { RequestOptions } from '../harness/service.ts';
import type { DashboardSession } from '../harness/session-fixtures.ts';
import { signIn } from '../harness/session-fixtures.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

const CONFIRMATION = '/api/v0/session/confirmation';
const HOST = '127.0.0.99';

type TestRequest = readonly [method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object];

/**
 * One request per route, written out so that a route definition without `requiresConfirmation` fails the
 * test.
 */
const REQUESTS: Readonly<Partial<Record<RouteName, TestRequest>>> = {
  putAccount: ['PUT', '/api/v0/user/mallory', { password: 'of mallory', role: 'admin' }],
  changePassword: ['PUT', '/api/v0/user/admin/password', { password: 'of mallory' }],
  removeAccount: ['DELETE', '/api/v0/user/bystander'],
  putToken: ['PUT', '/api/v0/token/taken', {}],
  removeToken: ['DELETE', '/api/v0/token/kept'],
  createUserData: ['PUT', '/api/v0/cluster/web/user-data', { url: 'https://hostler.example' }],
  getHostCreds: ['GET', `/api/v0/host/${HOST}/creds`],
  putHostCreds: ['PUT', `/api/v0/host/${HOST}/creds`, { ssh_priv_key: '' }],
};

test('the routes that require confirmation match the table', () => {
  const marked = Object.entries<RouteDefinition>(routes).flatMap(([name, route]) =>
    route.requiresConfirmation ? [name] : [],
  );
  expect(marked.sort()).toEqual(Object.keys(REQUESTS).sort());
});

describeServer(
  'a confirmation',
  service => {
    const send = ([method, path, body]: TestRequest, options: RequestOptions) =>
      ({
        GET: () => service().get(path, options),
        PUT: () => service().put(path, body, options),
        DELETE: () => service().delete(path, options),
      })[method]();
    const confirm = ({ options }: DashboardSession, password = ADMIN_PASSWORD) =>
      service().put<{ confirmed_until: string }>(CONFIRMATION, { current_password: password }, options);
    const createAccount = (name: string, { options }: DashboardSession) =>
      service().put(`/api/v0/user/${name}`, { password: 'new password', role: 'viewer' }, options);
    const names = async (path: string) => (await service().get<{ name: string }[]>(path)).body.map(({ name }) => name);

    describe('missing confirmation', () => {
      test.each(Object.entries(REQUESTS))('causes 403 for %s, which changes nothing', async (_name, request) => {
        await service().makeAccount('bystander', 'viewer');
        await service().put('/api/v0/token/kept', {});
        await service().put('/api/v0/cluster/web', { network: 'default' });
        const session = await signIn(service());
        const state = async () => [await names('/api/v0/users'), await names('/api/v0/tokens')];
        const before = await state();
        expect(await service().errorCode(send(request, session.options))).toBe('403 confirmation_needed');
        expect(await state()).toEqual(before);
        // The admin password is unchanged.
        expect((await service().get('/api/v0/user')).status).toBe(200);
      });

      test('causes 403 immediately after the sign-in, but not for other routes', async () => {
        const session = await signIn(service());
        expect(await service().errorCode(createAccount('early', session))).toBe('403 confirmation_needed');
        expect((await service().put('/api/v0/cluster/other', { network: 'default' }, session.options)).status).toBe(
          201,
        );
      });
    });

    test('is not requested if the role forbids the request', async () => {
      const viewer = await signIn(service(), await service().makeAccount('reader', 'viewer'));
      expect(await service().errorCode(createAccount('none', viewer))).toBe('403 forbidden');
    });

    test('allows changes only in its own session', async () => {
      const [session, other] = [await signIn(service()), await signIn(service())];
      const sentAt = Date.now();
      const confirmed = await confirm(session);
      expect(confirmed.status).toBe(200);
      const lifetimeMs = Date.parse(`${confirmed.body.confirmed_until}Z`) - sentAt;
      expect(lifetimeMs).toBeGreaterThan(290_000);
      expect(lifetimeMs).toBeLessThan(330_000);
      expect((await createAccount('made', session)).status).toBe(201);
      expect(await service().errorCode(createAccount('not-made', other))).toBe('403 confirmation_needed');
      expect(await names('/api/v0/users')).not.toContain('not-made');
    });

    test('reveals secret options of container managers', async () => {
      const options = { server_url: 'https://127.0.0.1:1', token: 'a-secret-token' };
      await service().put('/api/v0/containermanager/k3s', { type: 'k3s', options });
      const session = await signIn(service());
      const read = async () =>
        (await service().get<{ options: Record<string, unknown> }>('/api/v0/containermanager/k3s', session.options))
          .body.options['token'];
      expect(await read()).toBe('(hidden)');
      await confirm(session);
      expect(await read()).toBe('a-secret-token');
    });

    test('is not required with a password, also on requests of the dashboard', async () => {
      const { options } = await signIn(service());
      const { headers } = options;
      const byPassword = await service().put(
        '/api/v0/user/by-password',
        { password: 'p', role: 'viewer' },
        { headers },
      );
      expect(byPassword.status).toBe(201);
      const wrong = { as: 'admin:wrong', headers };
      expect(
        await service().errorCode(service().put('/api/v0/user/none', { password: 'p', role: 'viewer' }, wrong)),
      ).toBe('401 unauthorized');
    });

    test('is rejected and recorded if the password is wrong, and the session stays valid', async () => {
      const session = await signIn(service());
      expect(await service().errorCode(confirm(session, 'wrong'))).toBe('403 wrong_password');
      expect((await service().get('/api/v0/user', session.options)).status).toBe(200);
      expect(await service().errorCode(createAccount('none', session))).toBe('403 confirmation_needed');
      const entries = await service().get<{ type: string }[]>('/api/v0/audit?limit=5&subject=admin');
      expect(entries.body.map(({ type }) => type)).toContain('account.login_failed');
    });

    test('is recorded in the audit log with its session', async () => {
      const session = await signIn(service());
      await confirm(session);
      const path = '/api/v0/audit?limit=1&type=account.password_confirmed';
      const { body } = await service().get<object[]>(path);
      expect(body).toMatchObject([{ subject: 'admin', actor: 'admin', data: { session: expect.any(String) } }]);
    });

    test('is rejected without a session', async () => {
      const withoutSession = service().put(CONFIRMATION, { current_password: ADMIN_PASSWORD });
      expect(await service().errorCode(withoutSession)).toBe('400 bad_request');
    });
  },
  {},
);
