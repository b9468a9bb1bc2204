// Hosts that enrol themselves by a token: the life of a token, what it opens and what it does not, and that each host costs one use.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret, serviceKeyLocation } from '../../src/domain/secret.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openVault } from '../../src/secrets/keyring.ts';
import { osSimulators } from '../../src/simulator/os/os-simulators.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { openStoredRows } from '../harness/stores/stored-rows.ts';
import { describeStores, runSql } from '../harness/stores/stores.ts';

interface Shown {
  readonly used: number;
  readonly state: string;
  readonly expires_at: string;
  readonly created_at: string;
  readonly secret?: string;
}

interface Told {
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly result: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const path = (name: string) => `/api/v0/token/${name}`;
/** Whoever calls comes from where the header says. */
const BEHIND_A_PROXY = { HOSTLER_TRUST_PROXY: '127.0.0.0/8', HOSTLER_LIMIT_FAILED_LOGINS: '5' };

/** What tests do with tokens of a service. */
function tokensOf(service: () => TestService) {
  const make = async (name: string, settings: object = {}) => {
    const made = await service().put<Shown>(path(name), settings);
    expect([name, made.status]).toEqual([name, 201]);
    return `token:${made.body.secret}`;
  };
  const enrol = (as: string, address: string, body: object = {}) =>
    service().put<Problem>(
      '/api/v0/host',
      { host_keys: [HOST_KEY], ...body },
      { as, headers: { 'x-forwarded-for': address } },
    );
  const shown = async (name: string) => (await service().get<Shown>(path(name))).body;
  const expire = (name: string) =>
    runSql(
      service().place,
      `update enrolment_tokens set expires_at = '2020-01-01T00:00:00.000000' where name = '${name}'`,
    );
  const told = async (query: string) =>
    (await service().get<Told[]>(`/api/v0/audit?limit=1000&${query}`)).body;
  return { make, enrol, shown, expire, told };
}

onEachStore(
  'an enrolment token',
  service => {
    const { make, enrol, shown, expire, told } = tokensOf(service);
    const isKnown = async (address: string) =>
      (await service().get(`/api/v0/host/${address}`)).status === 200;
    beforeAll(async () => {
      for (const name of ['web', 'db'])
        await service().put(`/api/v0/cluster/${name}`, { network: 'default' });
    });

    test('is made, found, refused with other settings, listed and removed', async () => {
      const settings = { cluster: 'web', uses: 3, cidr: '2001:DB8:0::/32', expires_in_s: 60 };
      const made = await service().put<Shown>(path('life'), settings);
      const { secret, ...rest } = made.body;
      expect([made.status, secret]).toEqual([201, expect.stringMatching(/^hst_[\w-]{43}$/)]);
      expect(rest).toMatchObject({
        ...{ name: 'life', cluster: 'web', cidr: '2001:db8::/32', uses: 3, used: 0, state: 'active' },
      });
      expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(60_000);
      expect(await service().put(path('life'), settings)).toMatchObject({ status: 200, body: rest });
      for (const other of [{ cluster: 'db' }, { uses: 4 }, { cidr: '' }, { expires_in_s: 61 }])
        expect(await service().refusal(service().put(path('life'), { ...settings, ...other }))).toBe(
          '409 token_exists',
        );
      expect(await shown('life')).toEqual(rest);
      await make('life-2');
      expect((await service().get<Shown[]>('/api/v0/tokens?limit=1')).body).toEqual([rest]);
      expect((await service().get<Shown[]>('/api/v0/tokens')).body).toMatchObject([
        { name: 'life' },
        { name: 'life-2', cluster: '', cidr: '', uses: 1, used: 0 },
      ]);
      expect(await service().delete(path('life'))).toMatchObject({ status: 200, body: [] });
      expect(await service().refusal(service().delete(path('life')))).toBe('404 not_found');
      expect(await service().refusal(service().get(path('life')))).toBe('404 not_found');
      const { text } = await service().get('/api/v0/audit?subject=life');
      expect(text).not.toContain(secret);
      const changes = (await told('subject=life')).filter(({ type }) => type.startsWith('token.'));
      expect(changes.map(({ type, data }) => [type, data])).toEqual([
        ['token.removed', {}],
        ['token.created', { cluster: 'web', cidr: '2001:db8::/32', uses: 3, expires_at: rest.expires_at }],
      ]);
    });

    test.each([
      ['bits beyond its prefix', { cidr: '10.1.0.0/8' }, '400 invalid_body', /10\.0\.0\.0\/8/],
      ['no network', { cidr: 'home' }, '400 invalid_body', /cidr must be an IPv4 or IPv6 network/],
      ['no uses', { uses: 0 }, '400 invalid_body', /uses/],
      ['too many uses', { uses: 1_000_001 }, '400 invalid_body', /uses/],
      ['too short a life', { expires_in_s: 59 }, '400 invalid_body', /expires_in_s/],
      ['too long a life', { expires_in_s: 31_536_001 }, '400 invalid_body', /expires_in_s/],
      ['an unknown cluster', { cluster: 'none' }, '409 unknown_cluster', /the cluster none does not exist/],
    ])('is not made with %s', async (_what, settings, refusal, detail) => {
      const answer = service().put<Problem>(path('bad'), settings);
      expect(await service().refusal(answer)).toBe(refusal);
      expect((await answer).body.detail).toMatch(detail);
      expect((await service().get(path('bad'))).status).toBe(404);
    });

    test('lets a host in without a key, into its cluster, and says so in the log', async () => {
      const as = await make('first', { cluster: 'web' });
      const answer = await enrol(as, '127.3.0.1');
      expect([answer.status, answer.headers.get('location')]).toEqual([201, '/api/v0/host/127.3.0.1']);
      expect(answer.body).toMatchObject({ address: '127.3.0.1', status: 'investigating' });
      expect((await service().get('/api/v0/cluster/web/hosts/127.3.0.1')).status).toBe(200);
      expect(await shown('first')).toMatchObject({ used: 1, state: 'exhausted' });
      expect(await told('subject=127.3.0.1')).toMatchObject([
        { type: 'host.created', actor: 'token', data: { remote_user: 'root', token: 'first' } },
      ]);
    });

    test('never gives away the key by which its hosts are reached, nor copies it', async () => {
      await enrol(await make('creds'), '127.3.0.2', { remote_user: 'core' });
      const creds = await service().get('/api/v0/host/127.3.0.2/creds');
      expect([creds.status, creds.body]).toEqual([200, { ssh_priv_key: '', remote_user: 'core' }]);
      const access = await service().store.reads.hostAccess.get('127.3.0.2' as Address);
      expect(access?.sshPrivKey).toBeNull();
    });

    test('lets in a host with a key of its own too', async () => {
      const as = await make('own-key');
      const bad = enrol(as, '127.3.0.3', { ssh_priv_key: 'eA==' });
      expect(await service().refusal(bad)).toBe('400 invalid_private_key');
      expect((await enrol(as, '127.3.0.3', { ssh_priv_key: PRIVATE_KEY })).status).toBe(201);
      expect((await service().get('/api/v0/host/127.3.0.3/creds')).body).toMatchObject({
        ssh_priv_key: PRIVATE_KEY,
      });
      const repeated = enrol(as, '127.3.0.3', { ssh_priv_key: OTHER_PRIVATE_KEY });
      expect(await service().refusal(repeated)).toBe('409 host_conflict');
    });

    test('counts a host once that asks again, also when it is used up or too late', async () => {
      const as = await make('again');
      expect((await enrol(as, '127.3.0.4')).status).toBe(201);
      expect((await enrol(as, '127.3.0.4', { cluster: '', ssh_port: 22 })).status).toBe(200);
      await expire('again');
      const repeated = await enrol(as, '127.3.0.4', { host_keys: [`${HOST_KEY} root@web`] });
      expect([repeated.status, await shown('again')]).toMatchObject([200, { used: 1, state: 'expired' }]);
      for (const body of [{ host_keys: [OTHER_HOST_KEY] }, { ssh_port: 2222 }, { ssh_priv_key: PRIVATE_KEY }])
        expect(await service().refusal(enrol(as, '127.3.0.4', body))).toBe('409 host_conflict');
      expect(await told('subject=127.3.0.4')).toMatchObject([{ type: 'host.created' }]);
    });

    test('is refused before the body is read, when it lets no host in', async () => {
      const as = await make('old');
      const headers = { 'x-forwarded-for': '127.3.0.40', 'content-type': 'application/json' };
      const send = () => service().request('PUT', '/api/v0/host', { as, headers, raw: 'no JSON' });
      expect(await service().refusal(send())).toBe('400 invalid_json');
      await expire('old');
      expect(await service().refusal(send())).toBe('403 token_expired');
    });

    test('is asked for another use by a host that was removed', async () => {
      const as = await make('back', { uses: 2 });
      await enrol(as, '127.3.0.5');
      await service().delete('/api/v0/host/127.3.0.5');
      expect((await enrol(as, '127.3.0.5')).status).toBe(201);
      await service().delete('/api/v0/host/127.3.0.5');
      expect(await service().refusal(enrol(as, '127.3.0.5'))).toBe('403 token_exhausted');
    });

    test.each<[string, object, object, string, string, ((name: string) => Promise<unknown>)?]>([
      ['without host keys', {}, { host_keys: [] }, '127.3.1.1', '400 invalid_body'],
      ['with what is no host key', {}, { host_keys: ['x'] }, '127.3.1.2', '400 invalid_body'],
      ['for another address', {}, { host: '127.3.1.99' }, '127.3.1.3', '403 address_mismatch'],
      ['too late', {}, {}, '127.3.1.4', '403 token_expired', expire],
      ['from elsewhere', { cidr: '10.0.0.0/8' }, {}, '127.3.1.5', '403 token_network_mismatch'],
      [
        'into a cluster of its own choice',
        { cluster: 'web' },
        { cluster: 'db' },
        '127.3.1.6',
        '403 token_cluster_mismatch',
      ],
      [
        'into a cluster that is gone',
        { cluster: 'gone' },
        {},
        '127.3.1.7',
        '403 token_cluster_removed',
        () => service().delete('/api/v0/cluster/gone'),
      ],
      [
        'that is known already',
        {},
        {},
        '127.3.1.8',
        '409 host_conflict',
        () => service().put('/api/v0/host/127.3.1.8', { ssh_priv_key: PRIVATE_KEY, host_keys: [HOST_KEY] }),
      ],
    ])('lets in no host %s: nothing is stored but the refusal', async (_what, ...row) => {
      const [settings, body, address, refusal, before] = row;
      await service().put('/api/v0/cluster/gone', { network: 'default' });
      const name = `no-${address.at(-1)}`;
      const as = await make(name, settings);
      await before?.(name);
      const stored = await openStoredRows(service().place);
      const rows = await stored.read();
      expect(await service().refusal(enrol(as, address, body))).toBe(refusal);
      expect(await stored.read()).toBe(rows);
      await stored.close();
      const [, code = ''] = refusal.split(' ');
      const noted = (await told('actor=token')).filter(({ data }) => data['token'] === name);
      expect(noted).toMatchObject([{ type: 'request.denied', result: code }]);
    });

    test('takes both spellings of an IPv4 address for the same', async () => {
      const as = await make('mapped', { cidr: '127.3.0.0/16' });
      expect((await enrol(as, '::ffff:127.3.0.6')).status).toBe(201);
      expect(await isKnown('127.3.0.6')).toBe(true);
    });

    test('has its last use for one of all who want it', async () => {
      const as = await make('race', { uses: 2, cluster: 'db' });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => enrol(as, `127.3.2.${index + 1}`)),
      );
      const statuses = answers.map(({ status, body }) => (status === 201 ? 201 : body.code)).sort();
      expect(statuses).toEqual([201, 201, ...Array(6).fill('token_exhausted')]);
      expect(await shown('race')).toMatchObject({ used: 2 });
      expect((await service().get<string[]>('/api/v0/cluster/db/hosts')).body).toHaveLength(2);
    });

    test('is used once by a host that asks several times at once', async () => {
      const as = await make('eager', { uses: 5 });
      const answers = await Promise.all(Array.from({ length: 6 }, () => enrol(as, '127.3.0.7')));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), 201]);
      expect(await shown('eager')).toMatchObject({ used: 1 });
    });

    test('opens nothing else', async () => {
      const as = await make('narrow');
      for (const [method, target] of [
        ['GET', '/api/v0/hosts'],
        ['GET', '/api/v0/user'],
        ['GET', path('narrow')],
        ['PUT', '/api/v0/host/127.3.0.8'],
        ['PUT', '/api/v0/user/token/password'],
      ] as const) {
        const body = method === 'PUT' ? { body: { password: 'x', ssh_priv_key: PRIVATE_KEY } } : {};
        expect(await service().refusal(service().request(method, target, { as, ...body }))).toBe(
          '403 forbidden',
        );
      }
    });

    test('counts no more from the moment it is removed, and its hosts stay', async () => {
      const as = await make('short', { uses: 2 });
      expect((await enrol(as, '127.3.0.9')).status).toBe(201);
      await service().delete(path('short'));
      expect(await service().refusal(enrol(as, '127.3.0.9'))).toBe('401 unauthorized');
      expect(await isKnown('127.3.0.9')).toBe(true);
      const anew = await make('short', { uses: 2 });
      expect(await service().refusal(enrol(as, '127.3.0.10'))).toBe('401 unauthorized');
      expect(await service().refusal(enrol(anew, '127.3.0.9'))).toBe('409 host_conflict');
    });

    test('is in nobody’s way when others send wrong ones: not in that of tokens, nor of people', async () => {
      const as = await make('calm');
      const wrong = () => service().refusal(enrol(`token:hst_${'x'.repeat(43)}`, '127.3.0.11'));
      const refusals: string[] = [];
      for (let count = 0; count < 7; count += 1) refusals.push(await wrong());
      expect(refusals).toEqual([
        ...Array(5).fill('401 unauthorized'),
        ...Array(2).fill('429 too_many_failed_logins'),
      ]);
      expect((await enrol(as, '127.3.0.11')).status).toBe(201);
      const person = await service().makeAccount('fresh', 'viewer');
      const headers = { 'x-forwarded-for': '127.3.0.11' };
      expect((await service().get('/api/v0/hosts', { as: person, headers })).status).toBe(200);
      const noted = await told('type=account.login_failed');
      expect(noted.filter(({ subject }) => subject === 'token').length).toBeGreaterThan(0);
    });

    test('is asked of those who leave the private key out', async () => {
      const enroller = await service().makeAccount('enroller', 'enrol');
      const answer = await enrol(enroller, '127.3.0.12');
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ path: '/ssh_priv_key', message: 'is required' }],
      ]);
      expect((await enrol(enroller, '127.3.0.12', { ssh_priv_key: PRIVATE_KEY })).status).toBe(201);
    });
  },
  BEHIND_A_PROXY,
);

describe('hosts that a token lets in', () => {
  describeStores(
    kind => `on ${kind}`,
    kind => {
      const latencies = { connectMs: 0, commandMs: 0, bootMs: 50 };
      const simulators = { systems: Object.values(osSimulators) };
      const fleet = new SimulatedFleet({ clock: systemClock, simulators, latencies });
      const secretKey = randomBytes(32);
      let service: TestService;
      beforeAll(async () => {
        const settings = { ...BEHIND_A_PROXY, HOSTLER_SECRET_KEY: secretKey.toString('base64') };
        service = await startTestService(kind, settings, { transport: fleet.transport });
        await service.put('/api/v0/cluster/web', { network: 'default' });
      });
      afterAll(() => service.stop());

      async function serviceKey(): Promise<Secret> {
        const { dataKeys, serviceKey } = service.store.reads;
        const own = await serviceKey.get();
        if (own === undefined) throw new Error('there is no identity');
        const vault = await openVault(() => [secretKey], dataKeys);
        const opened = await vault.open(own.privateKey, serviceKeyLocation, dataKeys);
        return new Secret(Buffer.from(opened.reveal()).toString('base64'));
      }

      test('are reached by the key of the service, whose public half everyone may read who reads', async () => {
        const acceptedKeys = [await serviceKey(), new Secret(OTHER_PRIVATE_KEY)];
        const host = fleet.add('127.7.3.1' as Address, { os: 'debian', acceptedKeys });
        const { make, enrol } = tokensOf(() => service);
        const as = await make('racks', { cluster: 'web' });
        expect((await enrol(as, '127.7.3.1', { host_keys: [host.hostKey] })).status).toBe(201);
        const status = async () => (await service.get('/api/v0/host/127.7.3.1')).body;
        await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'active' }), {
          timeout: 20_000,
          interval: 50,
        });
        const viewer = await service.makeAccount('vera', 'viewer');
        const identity = await service.get<{ public_key: string }>('/api/v0/identity', { as: viewer });
        expect(identity.body.public_key).toMatch(/^ssh-ed25519 \S+ hostler$/);
        // With credentials of its own it is a host like any other.
        const creds = '/api/v0/host/127.7.3.1/creds';
        expect((await service.put(creds, { ssh_priv_key: OTHER_PRIVATE_KEY })).status).toBe(200);
        expect((await service.get(creds)).body).toMatchObject({ ssh_priv_key: OTHER_PRIVATE_KEY });
        // Nor does it matter to whoever asks once more that people have taken it out of the cluster.
        expect((await service.delete('/api/v0/cluster/web/hosts/127.7.3.1')).status).toBe(200);
        const body = { host_keys: [host.hostKey], cluster: 'web' };
        expect((await enrol(as, '127.7.3.1', body)).status).toBe(200);
      });
    },
  );
});
