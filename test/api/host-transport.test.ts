import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

type TryAccess = NonNullable<ServiceOverrides['testCredentials']>;
const tried: (string | undefined)[] = [];
const host: TryAccess = async (_address, { transport }) => {
  tried.push(transport);
  return { hostKey: HOST_KEY };
};

onEachStore(
  'the transport of a host',
  service => {
    const path = (address: string) => `/api/v0/host/${address}`;
    const enrol = (address: string, more: object) =>
      service().put<Problem>(path(address), { ssh_priv_key: PRIVATE_KEY, ...more });
    const transportOf = async (address: string) =>
      (await service().get<{ host: { transport?: string } }>(`${path(address)}/status`)).body.host.transport;

    test('is what it was enrolled with, and shown in its status', async () => {
      expect((await enrol('127.0.1.1', { transport: 'openssh' })).status).toBe(201);
      expect(await transportOf('127.0.1.1')).toBe('openssh');
    });

    test('is not shown where it is left to the configuration', async () => {
      await enrol('127.0.1.2', {});
      await enrol('127.0.1.3', { transport: '' });
      expect([await transportOf('127.0.1.2'), await transportOf('127.0.1.3')]).toEqual([
        undefined,
        undefined,
      ]);
    });

    test('that is not known is refused, and nothing is stored', async () => {
      const { status, body } = await enrol('127.0.1.4', { transport: 'pigeon' });
      expect([status, body.errors]).toEqual([
        400,
        [{ path: '/transport', message: 'must be one of ssh, openssh, or empty' }],
      ]);
      expect((await service().get(path('127.0.1.4'))).status).toBe(404);
    });

    test('is compared when a host is enrolled again, if it is given', async () => {
      await enrol('127.0.1.5', { transport: 'ssh' });
      expect((await enrol('127.0.1.5', {})).status).toBe(200);
      expect((await enrol('127.0.1.5', { transport: 'ssh' })).status).toBe(200);
      const { status, body } = await enrol('127.0.1.5', { transport: 'openssh' });
      expect([status, body.code]).toEqual([409, 'host_conflict']);
      expect(body.detail).toContain('transport');
    });

    test('is changed with the credentials, which are tried by it', async () => {
      await enrol('127.0.1.6', { transport: 'ssh' });
      const replace = (more: object) =>
        service().put<Problem>(`${path('127.0.1.6')}/creds`, { ssh_priv_key: OTHER_PRIVATE_KEY, ...more });
      expect((await replace({})).status).toBe(200);
      expect((await replace({ transport: 'openssh' })).status).toBe(200);
      expect((await replace({ transport: 'pigeon' })).status).toBe(400);
      expect(tried.splice(0)).toEqual(['ssh', 'openssh']);
      expect(await transportOf('127.0.1.6')).toBe('openssh');
    });
  },
  {},
  { testCredentials: host },
);
