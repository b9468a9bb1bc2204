import { beforeAll, expect, test, vi } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { StoreUnavailableError } from '../../src/domain/errors.ts';
import { OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { newHostResponse } from '../harness/host-responses.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface Result {
  readonly address: string;
  readonly status: number;
  readonly host?: unknown;
  readonly problem?: Problem;
}

const MANY = 60;
const key = { ssh_priv_key: PRIVATE_KEY };
const numberedHosts = (net: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ address: `127.${net}.0.${1 + index}`, ...key }));

describeServer(
  'PUT /hosts/bulk',
  service => {
    const put = (body: unknown) => service().put<Result[] & Problem>('/api/v0/hosts/bulk', body);
    const enrol = (...hosts: unknown[]) => put({ hosts });
    const resultLines = ({ body }: { body: readonly Result[] }) =>
      body.map(({ address, status, problem }) => `${address} ${status} ${problem?.code ?? ''}`.trim());
    const isEnrolled = async (address: string) => (await service().get(`/api/v0/host/${address}`)).status === 200;

    beforeAll(async () => {
      await service().put('/api/v0/cluster/home', { network: 'default' });
    });

    test('enrols each host with credentials, cluster and task, and keeps the order in the response', async () => {
      const { status, body } = await enrol(
        { address: '127.1.0.2', ...key, cluster: 'home', remote_user: 'core', ssh_port: 2222 },
        { address: '127.1.0.1', ...key, host: '::ffff:127.1.0.1' },
        { address: '0:0:0::00AB', ssh_priv_key: OTHER_PRIVATE_KEY },
      );
      expect([status, body]).toEqual([
        200,
        ['127.1.0.2', '127.1.0.1', '::ab'].map(address => ({
          address,
          status: 201,
          host: newHostResponse(address),
        })),
      ]);
      expect((await service().get('/api/v0/host/127.1.0.2/creds')).body).toEqual({
        ...key,
        remote_user: 'core',
      });
      expect((await service().get('/api/v0/host/::ab/creds')).body).toMatchObject({
        ssh_priv_key: OTHER_PRIVATE_KEY,
      });
      expect((await service().get('/api/v0/cluster/home/hosts')).body).toEqual(['127.1.0.2']);
      expect(await service().store.reads.tasks.list('127.1.0.1' as Address)).toMatchObject([{ kind: 'bootstrap' }]);
    });

    test('a repeated request finds the existing hosts and enrols the missing ones', async () => {
      const hosts = numberedHosts(2, 12);
      expect(resultLines(await put({ hosts: hosts.slice(0, 5) }))).toEqual(
        hosts.slice(0, 5).map(({ address }) => `${address} 201`),
      );
      expect(resultLines(await put({ hosts }))).toEqual(
        hosts.map(({ address }, index) => `${address} ${index < 5 ? 200 : 201}`),
      );
      expect(await service().store.reads.tasks.list('127.2.0.1' as Address)).toHaveLength(1);
    });

    test('returns an error per invalid host and enrols the others', async () => {
      await enrol({ address: '127.3.0.9', ...key });
      const response = await enrol(
        { address: '127.3.0.1' },
        { address: '127.3.0.2', ...key },
        { address: 'web-1', ...key },
        { address: '127.3.0.3', ssh_priv_key: 'bm8ga2V5' },
        { address: '127.3.0.4', ...key, cluster: 'nowhere' },
        { address: '127.3.0.9', ssh_priv_key: OTHER_PRIVATE_KEY },
        { address: '127.3.0.5', ...key, host: '127.3.0.6' },
        { address: '127.3.0.7', ...key, ssh_port: 0, remote_user: '-' },
        { address: '127.3.0.8', ...key },
      );
      expect(response.status).toBe(200);
      expect(resultLines(response)).toEqual([
        '127.3.0.1 400 invalid_body',
        '127.3.0.2 201',
        'web-1 400 invalid_body',
        '127.3.0.3 400 invalid_private_key',
        '127.3.0.4 409 unknown_cluster',
        '127.3.0.9 409 host_conflict',
        '127.3.0.5 400 invalid_body',
        '127.3.0.7 400 invalid_body',
        '127.3.0.8 201',
      ]);
      expect(response.body[0]?.problem).toEqual({
        type: '/docs#invalid_body',
        title: 'Bad Request',
        status: 400,
        detail: 'ssh_priv_key is required',
        code: 'invalid_body',
        request_id: response.headers.get('x-request-id'),
        errors: [{ path: '/hosts/0/ssh_priv_key', message: 'is required' }],
      });
      expect(response.body.map(({ problem }) => problem?.errors?.map(error => error.path))).toEqual(
        [
          ['/hosts/0/ssh_priv_key'],
          undefined,
          ['/hosts/2/address'],
          ['/hosts/3/ssh_priv_key'],
          undefined,
          ['/hosts/5/ssh_priv_key'],
          ['/hosts/6/address'],
          ['/hosts/7/remote_user', '/hosts/7/ssh_port'],
          undefined,
        ].map(paths => paths && expect.arrayContaining(paths)),
      );
      expect(await Promise.all(['127.3.0.1', '127.3.0.4', '127.3.0.5', '127.3.0.6'].map(isEnrolled))).toEqual(
        Array(4).fill(false),
      );
    });

    test('records the number of denied hosts per error code, but nothing of the body', async () => {
      const as = await service().makeAccount('bulk', 'operator');
      const bad = [{ address: '127.4.0.1' }, { address: '127.4.0.2' }, { address: '127.4.0.3', ...key, cluster: 'no' }];
      await service().put('/api/v0/hosts/bulk', { hosts: bad }, { as });
      const { body, text } = await service().get<{ actor: string }[]>('/api/v0/audit?type=request.denied');
      const path = '/api/v0/hosts/bulk';
      expect(body.filter(entry => entry.actor === 'bulk')).toMatchObject([
        { subject: path, data: { method: 'PUT', path, status: 409, code: 'unknown_cluster', count: 1 } },
        { subject: path, data: { method: 'PUT', path, status: 400, code: 'invalid_body', count: 2 } },
      ]);
      expect(text).not.toContain('127.4.0');
    });

    test.each([
      ['a body without a list', {}, ['/hosts']],
      [
        'a list with entries that are not objects',
        { hosts: [{ address: '127.5.0.1', ...key }, 5, [], null] },
        ['/hosts/1', '/hosts/2', '/hosts/3'],
      ],
      ['an entry without an address', { hosts: [{ ...key }, { address: 5, ...key }] }, ['/hosts/0', '/hosts/1']],
      [
        'a duplicate address in different notations',
        {
          hosts: [
            { address: '127.5.0.1', ...key },
            { address: '::ffff:7f05:1', ...key, remote_user: 'other' },
            { address: '127.5.0.2', ...key },
            { address: '127.5.0.1' },
          ],
        },
        ['/hosts/1/address', '/hosts/3/address'],
      ],
    ])('rejects %s with all error paths and enrols no host', async (_case, body, paths) => {
      const response = await put(body);
      expect([response.status, response.body.code, response.body.errors?.map(error => error.path)]).toEqual([
        400,
        'invalid_body',
        paths,
      ]);
      expect(await isEnrolled('127.5.0.1')).toBe(false);
    });

    test('accepts an empty list without changes', async () => {
      expect(await enrol()).toMatchObject({ status: 200, body: [] });
    });

    test('names the exceeded limit: number of hosts or bytes', async () => {
      const addresses = Array.from({ length: 1001 }, (_, index) => `127.6.${index >> 8}.${index & 255}`);
      const many = await put({ hosts: addresses.map(address => ({ address })) });
      expect([many.status, many.body.code]).toEqual([400, 'too_many_hosts']);
      expect(many.body.detail).toContain('at most 1000 hosts');
      const large = await enrol({ address: '127.6.0.1', ...key, remote_user: 'x'.repeat(70_000) });
      expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
      expect(large.body.detail).toContain('limit_body_bytes');
      expect(await isEnrolled('127.6.0.1')).toBe(false);
      expect((await put({ hosts: numberedHosts(6, MANY) })).body).toHaveLength(MANY);
    });

    test('serves other requests before all hosts are enrolled', async () => {
      const order: string[] = [];
      const enrolling = put({ hosts: numberedHosts(7, MANY) }).then(() => order.push('bulk'));
      while (!(await isEnrolled('127.7.0.1'))) order.push('not yet');
      order.push('first');
      await enrolling;
      expect(order.indexOf('first')).toBeLessThan(order.indexOf('bulk'));
    });

    test('returns 503 when the store becomes unavailable, and can be repeated', async () => {
      const hosts = numberedHosts(8, 20);
      const { transaction } = service().store;
      let calls = 0;
      const spy = vi.spyOn(service().store, 'transaction').mockImplementation(run => {
        calls += 1;
        // Other callers can start transactions too.
        return calls >= 8 ? Promise.reject(new StoreUnavailableError(new Error('unavailable'))) : transaction(run);
      });
      const { status } = await put({ hosts });
      spy.mockRestore();
      expect(status).toBe(503);
      const statuses = (await put({ hosts })).body.map(result => result.status);
      // Only the hosts whose transactions started before the outage exist.
      expect(statuses.filter(code => code === 200).length).toBeLessThan(12);
      expect(statuses.filter(code => code === 201).length).toBeGreaterThan(8);
      expect(statuses).toHaveLength(20);
    });
  },
  { HOSTLER_LIMIT_BULK_HOSTS: String(MANY), HOSTLER_LIMIT_BODY_BYTES: '65536' },
);
