import { beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

type TryAccess = NonNullable<ServiceOverrides['testCredentials']>;

const works: TryAccess = async () => ({ hostKey: HOST_KEY });
/** What the host says to those who try to get in. */
let host: TryAccess = works;

onEachStore(
  'replacing the credentials of a host',
  service => {
    const path = (address: string) => `/api/v0/host/${address}/creds`;
    const replace = (address: string, more: object = {}) =>
      service().put<Problem>(path(address), { ssh_priv_key: OTHER_PRIVATE_KEY, ...more });
    const credsOf = async (address: string) => (await service().get(path(address))).body;
    const workOn = (address: string) => service().store.reads.tasks.list(address as Address);
    const told = async (address: string) =>
      (await service().get<{ type: string }[]>(`/api/v0/audit?subject=${address}`)).body;
    const enrol = (address: string) =>
      service().put(`/api/v0/host/${address}`, {
        ssh_priv_key: PRIVATE_KEY,
        remote_user: 'core',
        ssh_port: 2222,
        host_keys: [HOST_KEY],
      });

    beforeEach(() => {
      host = works;
    });

    test('tries them on the host, stores them, and is told without the key', async () => {
      await enrol('127.0.1.1');
      const tried: Parameters<TryAccess>[] = [];
      host = async (...args) => {
        tried.push(args);
        return { hostKey: HOST_KEY };
      };
      const answer = await replace('127.0.1.1', { remote_user: 'admin' });
      expect([answer.status, answer.body]).toMatchObject([200, { address: '127.0.1.1' }]);
      expect(tried).toMatchObject([
        ['127.0.1.1', { user: 'admin', port: 2222, hostKeys: [HOST_KEY] }, undefined],
      ]);
      expect(tried[0]?.[1].privateKey.reveal()).toBe(OTHER_PRIVATE_KEY);
      expect(await credsOf('127.0.1.1')).toEqual({ ssh_priv_key: OTHER_PRIVATE_KEY, remote_user: 'admin' });
      const sealed = (await service().store.reads.hostAccess.get('127.0.1.1' as Address))?.sshPrivKey;
      expect(sealed).not.toContain(OTHER_PRIVATE_KEY);
      const [, changed] = await told('127.0.1.1');
      expect(changed).toMatchObject({ type: 'host.credentials_changed', data: { remote_user: 'admin' } });
      expect(JSON.stringify(changed)).not.toContain(OTHER_PRIVATE_KEY.slice(20, 60));
    });

    test('keeps the user that is not named, and the work that is to be done', async () => {
      await enrol('127.0.1.2');
      const before = await workOn('127.0.1.2');
      await replace('127.0.1.2');
      expect(await credsOf('127.0.1.2')).toEqual({ ssh_priv_key: OTHER_PRIVATE_KEY, remote_user: 'core' });
      expect(await workOn('127.0.1.2')).toEqual(before);
    });

    test('lets a host that failed begin anew', async () => {
      await service().makeHosts('failed', undefined, '127.0.1.3');
      await service().store.transaction(records =>
        records.tasks.deleteByKind('127.0.1.3' as Address, 'bootstrap'),
      );
      expect((await replace('127.0.1.3')).body).toMatchObject({ status: 'investigating' });
      expect((await workOn('127.0.1.3')).map(work => work.kind)).toEqual(['bootstrap']);
      expect(await told('127.0.1.3')).toMatchObject([
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
    ])('that end in %s is refused, and nothing is stored', async (failure, code, detail) => {
      await enrol('127.0.1.4');
      host = async () => failure;
      const { status, body } = await replace('127.0.1.4', { remote_user: 'admin' });
      expect([status, body.code]).toEqual([409, code]);
      expect(body.detail).toContain(detail);
      expect(await credsOf('127.0.1.4')).toEqual({ ssh_priv_key: PRIVATE_KEY, remote_user: 'core' });
      const types = (await told('127.0.1.4')).map(entry => entry.type);
      expect(types).not.toContain('host.credentials_changed');
    });

    test.each([
      [{ ssh_priv_key: undefined }, '400 invalid_body'],
      [{ ssh_priv_key: 'not base64!' }, '400 invalid_private_key'],
      [{ remote_user: '-oProxyCommand=x' }, '400 invalid_body'],
    ])('with %o is refused with %s before anything is tried', async (more, refusal) => {
      host = async () => {
        throw new Error('nobody should try this');
      };
      expect(await service().refusal(replace('127.0.1.4', more))).toBe(refusal);
    });

    test('keeps the key that a host shows which was never contacted before', async () => {
      await service().put('/api/v0/host/127.0.1.8', { ssh_priv_key: PRIVATE_KEY });
      expect((await replace('127.0.1.8')).status).toBe(200);
      const access = await service().store.reads.hostAccess.get('127.0.1.8' as Address);
      expect(access?.hostKeys).toEqual([HOST_KEY]);
    });

    test('is 404 for a host that is not known, or removed while they are tried', async () => {
      expect(await service().refusal(replace('127.0.1.9'))).toBe('404 not_found');
      await enrol('127.0.1.5');
      host = async () => {
        await service().delete('/api/v0/host/127.0.1.5');
        return { hostKey: HOST_KEY };
      };
      expect(await service().refusal(replace('127.0.1.5'))).toBe('404 not_found');
    });

    test('is a conflict when the host is enrolled anew meanwhile, and leaves the new one alone', async () => {
      await enrol('127.0.1.6');
      host = async () => {
        await service().delete('/api/v0/host/127.0.1.6');
        await enrol('127.0.1.6');
        return { hostKey: HOST_KEY };
      };
      expect(await service().refusal(replace('127.0.1.6'))).toBe('409 conflict');
      expect(await credsOf('127.0.1.6')).toMatchObject({ ssh_priv_key: PRIVATE_KEY });
    });
  },
  {},
  { testCredentials: (...args) => host(...args) },
);
