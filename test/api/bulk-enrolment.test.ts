import { beforeAll, expect, test, vi } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { StoreUnavailableError } from '../../src/domain/errors.ts';
import { freshHost } from '../harness/fresh-host.ts';
import { OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

interface Result {
  readonly address: string;
  readonly status: number;
  readonly host?: unknown;
  readonly problem?: Problem;
}

const LIMIT = 60;
const key = { ssh_priv_key: PRIVATE_KEY };
const numbered = (net: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ address: `127.${net}.0.${1 + index}`, ...key }));

onEachStore(
  'bulk enrolment',
  service => {
    const put = (body: unknown) => service().put<Result[] & Problem>('/api/v0/hosts/bulk', body);
    const enrol = (...hosts: unknown[]) => put({ hosts });
    const told = ({ body }: { body: readonly Result[] }) =>
      body.map(({ address, status, problem }) => `${address} ${status} ${problem?.code ?? ''}`.trim());
    const known = async (address: string) => (await service().get(`/api/v0/host/${address}`)).status === 200;

    beforeAll(async () => {
      await service().put('/api/v0/cluster/home', { network: 'default' });
    });

    test('enrols each host with its credentials, membership and work, and answers in their order', async () => {
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
          host: freshHost(address),
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
      expect(await service().store.reads.tasks.list('127.1.0.1' as Address)).toMatchObject([
        { kind: 'bootstrap' },
      ]);
    });

    test('sent again finds the same hosts, and goes on with those that are missing', async () => {
      const hosts = numbered(2, 12);
      expect(told(await put({ hosts: hosts.slice(0, 5) }))).toEqual(
        hosts.slice(0, 5).map(({ address }) => `${address} 201`),
      );
      expect(told(await put({ hosts }))).toEqual(
        hosts.map(({ address }, index) => `${address} ${index < 5 ? 200 : 201}`),
      );
      expect(await service().store.reads.tasks.list('127.2.0.1' as Address)).toHaveLength(1);
    });

    test('tells of each what is wrong with it, and enrols the others', async () => {
      await enrol({ address: '127.3.0.9', ...key });
      const answer = await enrol(
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
      expect(answer.status).toBe(200);
      expect(told(answer)).toEqual([
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
      expect(answer.body[0]?.problem).toEqual({
        type: '/docs#invalid_body',
        title: 'Bad Request',
        status: 400,
        detail: 'ssh_priv_key is required',
        code: 'invalid_body',
        request_id: answer.headers.get('x-request-id'),
        errors: [{ path: '/hosts/0/ssh_priv_key', message: 'is required' }],
      });
      expect(answer.body.map(({ problem }) => problem?.errors?.map(error => error.path))).toEqual(
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
      expect(await Promise.all(['127.3.0.1', '127.3.0.4', '127.3.0.5', '127.3.0.6'].map(known))).toEqual(
        Array(4).fill(false),
      );
    });

    test('puts on record how many were refused and why, and nothing of the body', async () => {
      const as = await service().makeAccount('bulk', 'operator');
      const bad = [
        { address: '127.4.0.1' },
        { address: '127.4.0.2' },
        { address: '127.4.0.3', ...key, cluster: 'no' },
      ];
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
      ['no list', {}, ['/hosts']],
      [
        'a list of something else',
        { hosts: [{ address: '127.5.0.1', ...key }, 5, [], null] },
        ['/hosts/1', '/hosts/2', '/hosts/3'],
      ],
      [
        'an entry without an address',
        { hosts: [{ ...key }, { address: 5, ...key }] },
        ['/hosts/0', '/hosts/1'],
      ],
      [
        'an address twice, in whatever form',
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
    ])('%s is refused as a whole, with the places, and nobody is enrolled', async (_what, body, places) => {
      const answer = await put(body);
      expect([answer.status, answer.body.code, answer.body.errors?.map(error => error.path)]).toEqual([
        400,
        'invalid_body',
        places,
      ]);
      expect(await known('127.5.0.1')).toBe(false);
    });

    test('of nobody does nothing', async () => {
      expect(await enrol()).toMatchObject({ status: 200, body: [] });
    });

    test('says which limit is exceeded: that of hosts, or that of bytes', async () => {
      const many = await put({ hosts: numbered(6, LIMIT + 1) });
      expect([many.status, many.body.code]).toEqual([400, 'too_many_hosts']);
      expect(many.body.detail).toContain(`at most ${LIMIT} hosts`);
      const large = await enrol({ address: '127.6.0.1', ...key, remote_user: 'x'.repeat(70_000) });
      expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
      expect(large.body.detail).toContain('limit_body_bytes');
      expect(await known('127.6.0.1')).toBe(false);
      expect((await put({ hosts: numbered(6, LIMIT) })).body).toHaveLength(LIMIT);
    });

    test('lets others have their turn before all are enrolled', async () => {
      const order: string[] = [];
      const enrolling = put({ hosts: numbered(7, LIMIT) }).then(() => order.push('bulk'));
      while (!(await known('127.7.0.1'))) order.push('not yet');
      order.push('first');
      await enrolling;
      expect(order.indexOf('first')).toBeLessThan(order.indexOf('bulk'));
    });

    test('is over when the store is away for a moment, and can be sent again', async () => {
      const hosts = numbered(8, 20);
      const { transaction } = service().store;
      let calls = 0;
      const spy = vi.spyOn(service().store, 'transaction').mockImplementation(work => {
        calls += 1;
        // Others, too, may ask for one meanwhile.
        return calls >= 8 ? Promise.reject(new StoreUnavailableError(new Error('away'))) : transaction(work);
      });
      const { status } = await put({ hosts });
      spy.mockRestore();
      expect(status).toBe(503);
      const again = (await put({ hosts })).body.map(result => result.status);
      // Those that had begun are there, and no other.
      expect(again.filter(one => one === 200).length).toBeLessThan(12);
      expect(again.filter(one => one === 201).length).toBeGreaterThan(8);
      expect(again).toHaveLength(20);
    });
  },
  { HOSTLER_LIMIT_BULK_HOSTS: String(LIMIT), HOSTLER_LIMIT_BODY_BYTES: '65536' },
);
