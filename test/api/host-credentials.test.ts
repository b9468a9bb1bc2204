import { beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

type TestCredentials = NonNullable<ServiceOverrides['testCredentials']>;

const acceptLogin: TestCredentials = async () => ({ hostKey: HOST_KEY });
/** The result of the simulated login to the host. */
let testLogin: TestCredentials = acceptLogin;

describeServer(
  'PUT /host/{ADDRESS}/creds',
  service => {
    const path = (address: string) => `/api/v0/host/${address}/creds`;
    const replace = (address: string, fields: object = {}) =>
      service().put<Problem>(path(address), { ssh_priv_key: OTHER_PRIVATE_KEY, ...fields });
    const credsOf = async (address: string) => (await service().get(path(address))).body;
    const tasksOf = (address: string) => service().store.reads.tasks.list(address as Address);
    const eventsOf = async (address: string) =>
      (await service().get<{ type: string }[]>(`/api/v0/audit?subject=${address}`)).body;
    const enrol = (address: string) =>
      service().put(`/api/v0/host/${address}`, {
        ssh_priv_key: PRIVATE_KEY,
        remote_user: 'core',
        ssh_port: 2222,
        host_keys: [HOST_KEY],
      });

    beforeEach(() => {
      testLogin = acceptLogin;
    });

    test('tests the credentials on the host, stores them and records a change without the key', async () => {
      await enrol('127.0.1.1');
      const calls: Parameters<TestCredentials>[] = [];
      testLogin = async (...args) => {
        calls.push(args);
        return { hostKey: HOST_KEY };
      };
      const response = await replace('127.0.1.1', { remote_user: 'admin' });
      expect([response.status, response.body]).toMatchObject([200, { address: '127.0.1.1' }]);
      expect(calls).toMatchObject([['127.0.1.1', { user: 'admin', port: 2222, hostKeys: [HOST_KEY] }, undefined]]);
      expect(calls[0]?.[1].privateKey.reveal()).toBe(OTHER_PRIVATE_KEY);
      expect(await credsOf('127.0.1.1')).toEqual({ ssh_priv_key: OTHER_PRIVATE_KEY, remote_user: 'admin' });
      const sealed = (await service().store.reads.hostAccess.get('127.0.1.1' as Address))?.sshPrivKey;
      expect(sealed).not.toContain(OTHER_PRIVATE_KEY);
      const [, changed] = await eventsOf('127.0.1.1');
      expect(changed).toMatchObject({ type: 'host.credentials_changed', data: { remote_user: 'admin' } });
      expect(JSON.stringify(changed)).not.toContain(OTHER_PRIVATE_KEY.slice(20, 60));
    });

    test('keeps the current user if none is given, and the pending tasks', async () => {
      await enrol('127.0.1.2');
      const tasksBefore = await tasksOf('127.0.1.2');
      await replace('127.0.1.2');
      expect(await credsOf('127.0.1.2')).toEqual({ ssh_priv_key: OTHER_PRIVATE_KEY, remote_user: 'core' });
      expect(await tasksOf('127.0.1.2')).toEqual(tasksBefore);
    });

    test('restarts the bootstrap of a failed host', async () => {
      await service().makeHosts('failed', undefined, '127.0.1.3');
      await service().store.transaction(records => records.tasks.removeByKind('127.0.1.3' as Address, 'bootstrap'));
      expect((await replace('127.0.1.3')).body).toMatchObject({ status: 'investigating' });
      expect((await tasksOf('127.0.1.3')).map(task => task.kind)).toEqual(['bootstrap']);
      expect(await eventsOf('127.0.1.3')).toMatchObject([
        { type: 'host.status' },
        { type: 'host.credentials_changed' },
        { type: 'host.created' },
      ]);
    });

    test.each([
      [new TransportFailure('auth_rejected', 'no more methods'), 'credentials_rejected', 'no more methods'],
      [new TransportFailure('unreachable', 'connection refused'), 'host_unreachable', 'connection refused'],
      [new TransportFailure('timed_out', 'after 10 s'), 'host_unreachable', 'after 10 s'],
      [
        new TransportFailure('host_key_changed', 'another key', OTHER_HOST_KEY),
        'host_key_changed',
        hostKeyFingerprint(OTHER_HOST_KEY),
      ],
    ])('rejects credentials when the test fails with %s, and stores nothing', async (failure, code, detail) => {
      await enrol('127.0.1.4');
      testLogin = async () => failure;
      const { status, body } = await replace('127.0.1.4', { remote_user: 'admin' });
      expect([status, body.code]).toEqual([409, code]);
      expect(body.detail).toContain(detail);
      expect(await credsOf('127.0.1.4')).toEqual({ ssh_priv_key: PRIVATE_KEY, remote_user: 'core' });
      const types = (await eventsOf('127.0.1.4')).map(entry => entry.type);
      expect(types).not.toContain('host.credentials_changed');
    });

    test.each([
      [{ ssh_priv_key: undefined }, '400 invalid_body'],
      [{ ssh_priv_key: 'not base64!' }, '400 invalid_private_key'],
      [{ remote_user: '-oProxyCommand=x' }, '400 invalid_body'],
    ])('rejects %o with %s before testing', async (fields, expected) => {
      testLogin = async () => {
        throw new Error('unexpected login');
      };
      expect(await service().errorCode(replace('127.0.1.4', fields))).toBe(expected);
    });

    test('pins the key of a host that was never contacted', async () => {
      await service().put('/api/v0/host/127.0.1.8', { ssh_priv_key: PRIVATE_KEY });
      expect((await replace('127.0.1.8')).status).toBe(200);
      const access = await service().store.reads.hostAccess.get('127.0.1.8' as Address);
      expect(access?.hostKeys).toEqual([HOST_KEY]);
    });

    test('returns 404 for an unknown host and for a host removed during the test', async () => {
      expect(await service().errorCode(replace('127.0.1.9'))).toBe('404 not_found');
      await enrol('127.0.1.5');
      testLogin = async () => {
        await service().delete('/api/v0/host/127.0.1.5');
        return { hostKey: HOST_KEY };
      };
      expect(await service().errorCode(replace('127.0.1.5'))).toBe('404 not_found');
    });

    test('returns 409 when the host is enrolled again during the test, and keeps its credentials', async () => {
      await enrol('127.0.1.6');
      testLogin = async () => {
        await service().delete('/api/v0/host/127.0.1.6');
        await enrol('127.0.1.6');
        return { hostKey: HOST_KEY };
      };
      expect(await service().errorCode(replace('127.0.1.6'))).toBe('409 conflict');
      expect(await credsOf('127.0.1.6')).toMatchObject({ ssh_priv_key: PRIVATE_KEY });
    });
  },
  {},
  { testCredentials: (...args) => testLogin(...args) },
);
