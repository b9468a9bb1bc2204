import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

type TestCredentials = NonNullable<ServiceOverrides['testCredentials']>;
const testedTransports: (string | undefined)[] = [];
const testLogin: TestCredentials = async (_address, { transport }) => {
  testedTransports.push(transport);
  return { hostKey: HOST_KEY };
};

describeServer(
  'host transport',
  service => {
    const path = (address: string) => `/api/v0/host/${address}`;
    const enrol = (address: string, fields: object) =>
      service().put<Problem>(path(address), { ssh_priv_key: PRIVATE_KEY, ...fields });
    const transportOf = async (address: string) =>
      (await service().get<{ host: { transport?: string } }>(`${path(address)}/status`)).body.host.transport;

    test('is stored at enrolment and shown in the status', async () => {
      expect((await enrol('127.0.1.1', { transport: 'openssh' })).status).toBe(201);
      expect(await transportOf('127.0.1.1')).toBe('openssh');
    });

    test('is absent from the status if the configuration decides', async () => {
      await enrol('127.0.1.2', {});
      await enrol('127.0.1.3', { transport: '' });
      expect([await transportOf('127.0.1.2'), await transportOf('127.0.1.3')]).toEqual([undefined, undefined]);
    });

    test('rejects an unknown transport and stores nothing', async () => {
      const { status, body } = await enrol('127.0.1.4', { transport: 'pigeon' });
      expect([status, body.errors]).toEqual([
        400,
        [{ path: '/transport', message: 'must be one of ssh, openssh, or empty' }],
      ]);
      expect((await service().get(path('127.0.1.4'))).status).toBe(404);
    });

    test('is compared when a host is enrolled again with a transport', async () => {
      await enrol('127.0.1.5', { transport: 'ssh' });
      expect((await enrol('127.0.1.5', {})).status).toBe(200);
      expect((await enrol('127.0.1.5', { transport: 'ssh' })).status).toBe(200);
      const { status, body } = await enrol('127.0.1.5', { transport: 'openssh' });
      expect([status, body.code]).toEqual([409, 'host_conflict']);
      expect(body.detail).toContain('transport');
    });

    test('changes with the credentials, which are tested over the new transport', async () => {
      await enrol('127.0.1.6', { transport: 'ssh' });
      const replace = (fields: object) =>
        service().put<Problem>(`${path('127.0.1.6')}/creds`, { ssh_priv_key: OTHER_PRIVATE_KEY, ...fields });
      expect((await replace({})).status).toBe(200);
      expect((await replace({ transport: 'openssh' })).status).toBe(200);
      expect((await replace({ transport: 'pigeon' })).status).toBe(400);
      expect(testedTransports.splice(0)).toEqual(['ssh', 'openssh']);
      expect(await transportOf('127.0.1.6')).toBe('openssh');
    });
  },
  {},
  { testCredentials: testLogin },
);
