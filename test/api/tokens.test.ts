// Enrolment tokens: their lifecycle, their permissions, and one use per host.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret, serviceKeyLocation } from '../../src/domain/secret.ts';
import { openVault } from '../../src/secrets/keyring.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { createFleet } from '../harness/simulated-fleet.ts';
import { openStoredRows } from '../harness/stores/database-inspection.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { describeByStore, runSql } from '../harness/stores/stores.ts';

interface TokenRecord {
  readonly used: number;
  readonly state: string;
  readonly expires_at: string;
  readonly created_at: string;
  readonly secret?: string;
}

interface AuditEntry {
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly result: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const path = (name: string) => `/api/v0/token/${name}`;
/** The server takes the client address from X-Forwarded-For. */
const PROXY_SETTINGS = { HOSTLER_TRUST_PROXY: '127.0.0.0/8', HOSTLER_LIMIT_FAILED_LOGINS: '5' };

function tokenActions(service: () => TestService) {
  const createToken = async (name: string, settings: object = {}) => {
    const created = await service().put<TokenRecord>(path(name), settings);
    expect([name, created.status]).toEqual([name, 201]);
    return `token:${created.body.secret}`;
  };
  const enrol = (as: string, address: string, body: object = {}) =>
    service().put<Problem>(
      '/api/v0/host',
      { host_keys: [HOST_KEY], ...body },
      { as, headers: { 'x-forwarded-for': address } },
    );
  const getToken = async (name: string) => (await service().get<TokenRecord>(path(name))).body;
  const expire = (name: string) =>
    runSql(
      service().database,
      `update enrolment_tokens set expires_at = '2020-01-01T00:00:00.000000' where name = '${name}'`,
    );
  const auditEntries = async (query: string) =>
    (await service().get<AuditEntry[]>(`/api/v0/audit?limit=1000&${query}`)).body;
  return { createToken, enrol, getToken, expire, auditEntries };
}

describeServer(
  'enrolment token',
  service => {
    const { createToken, enrol, getToken, expire, auditEntries } = tokenActions(service);
    const isEnrolled = async (address: string) => (await service().get(`/api/v0/host/${address}`)).status === 200;
    beforeAll(async () => {
      for (const name of ['web', 'db']) await service().put(`/api/v0/cluster/${name}`, { network: 'default' });
    });

    test('is created, found, rejected with other settings, listed and removed', async () => {
      const settings = { cluster: 'web', uses: 3, cidr: '2001:DB8:0::/32', expires_in_s: 60 };
      const created = await service().put<TokenRecord>(path('life'), settings);
      const { secret, ...rest } = created.body;
      expect([created.status, secret]).toEqual([201, expect.stringMatching(/^hst_[\w-]{43}$/)]);
      expect(rest).toMatchObject({
        ...{ name: 'life', cluster: 'web', cidr: '2001:db8::/32', uses: 3, used: 0, state: 'active' },
      });
      expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(60_000);
      expect(await service().put(path('life'), settings)).toMatchObject({ status: 200, body: rest });
      for (const other of [{ cluster: 'db' }, { uses: 4 }, { cidr: '' }, { expires_in_s: 61 }])
        expect(await service().errorCode(service().put(path('life'), { ...settings, ...other }))).toBe(
          '409 token_exists',
        );
      expect(await getToken('life')).toEqual(rest);
      await createToken('life-2');
      expect((await service().get<TokenRecord[]>('/api/v0/tokens?limit=1')).body).toEqual([rest]);
      expect((await service().get<TokenRecord[]>('/api/v0/tokens')).body).toMatchObject([
        { name: 'life' },
        { name: 'life-2', cluster: '', cidr: '', uses: 1, used: 0 },
      ]);
      expect(await service().delete(path('life'))).toMatchObject({ status: 200, body: [] });
      expect(await service().errorCode(service().delete(path('life')))).toBe('404 not_found');
      expect(await service().errorCode(service().get(path('life')))).toBe('404 not_found');
      const { text } = await service().get('/api/v0/audit?subject=life');
      expect(text).not.toContain(secret);
      const changes = (await auditEntries('subject=life')).filter(({ type }) => type.startsWith('token.'));
      expect(changes.map(({ type, data }) => [type, data])).toEqual([
        ['token.removed', {}],
        ['token.created', { cluster: 'web', cidr: '2001:db8::/32', uses: 3, expires_at: rest.expires_at }],
      ]);
    });

    test.each([
      ['host bits in the network', { cidr: '10.1.0.0/8' }, '400 invalid_body', /10\.0\.0\.0\/8/],
      ['an invalid network', { cidr: 'home' }, '400 invalid_body', /cidr must be an IPv4 or IPv6 network/],
      ['zero uses', { uses: 0 }, '400 invalid_body', /uses/],
      ['too many uses', { uses: 1_000_001 }, '400 invalid_body', /uses/],
      ['too short a lifetime', { expires_in_s: 59 }, '400 invalid_body', /expires_in_s/],
      ['too long a lifetime', { expires_in_s: 31_536_001 }, '400 invalid_body', /expires_in_s/],
      ['an unknown cluster', { cluster: 'none' }, '409 unknown_cluster', /the cluster none does not exist/],
    ])('is not created with %s', async (_case, settings, expected, detail) => {
      const response = service().put<Problem>(path('bad'), settings);
      expect(await service().errorCode(response)).toBe(expected);
      expect((await response).body.detail).toMatch(detail);
      expect((await service().get(path('bad'))).status).toBe(404);
    });

    test('enrols a host without a private key into its cluster and records it', async () => {
      const as = await createToken('first', { cluster: 'web' });
      const response = await enrol(as, '127.3.0.1');
      expect([response.status, response.headers.get('location')]).toEqual([201, '/api/v0/host/127.3.0.1']);
      expect(response.body).toMatchObject({ address: '127.3.0.1', status: 'investigating' });
      expect((await service().get('/api/v0/cluster/web/hosts/127.3.0.1')).status).toBe(200);
      expect(await getToken('first')).toMatchObject({ used: 1, state: 'exhausted' });
      expect(await auditEntries('subject=127.3.0.1')).toMatchObject([
        { type: 'host.created', actor: 'token', data: { remote_user: 'root', token: 'first' } },
      ]);
    });

    test('never returns or copies the private key of the service', async () => {
      await enrol(await createToken('creds'), '127.3.0.2', { remote_user: 'core' });
      const creds = await service().get('/api/v0/host/127.3.0.2/creds');
      expect([creds.status, creds.body]).toEqual([200, { ssh_priv_key: '', remote_user: 'core' }]);
      const access = await service().store.reads.hostAccess.get('127.3.0.2' as Address);
      expect(access?.sshPrivKey).toBeNull();
    });

    test('enrols a host that sends its own private key', async () => {
      const as = await createToken('own-key');
      const bad = enrol(as, '127.3.0.3', { ssh_priv_key: 'eA==' });
      expect(await service().errorCode(bad)).toBe('400 invalid_private_key');
      expect((await enrol(as, '127.3.0.3', { ssh_priv_key: PRIVATE_KEY })).status).toBe(201);
      expect((await service().get('/api/v0/host/127.3.0.3/creds')).body).toMatchObject({
        ssh_priv_key: PRIVATE_KEY,
      });
      const repeated = enrol(as, '127.3.0.3', { ssh_priv_key: OTHER_PRIVATE_KEY });
      expect(await service().errorCode(repeated)).toBe('409 host_conflict');
    });

    test('counts a host once, and accepts its repeated request after expiry', async () => {
      const as = await createToken('again');
      expect((await enrol(as, '127.3.0.4')).status).toBe(201);
      expect((await enrol(as, '127.3.0.4', { cluster: '', ssh_port: 22 })).status).toBe(200);
      await expire('again');
      const repeated = await enrol(as, '127.3.0.4', { host_keys: [`${HOST_KEY} root@web`] });
      expect([repeated.status, await getToken('again')]).toMatchObject([200, { used: 1, state: 'expired' }]);
      for (const body of [{ host_keys: [OTHER_HOST_KEY] }, { ssh_port: 2222 }, { ssh_priv_key: PRIVATE_KEY }])
        expect(await service().errorCode(enrol(as, '127.3.0.4', body))).toBe('409 host_conflict');
      expect(await auditEntries('subject=127.3.0.4')).toMatchObject([{ type: 'host.created' }]);
    });

    test('is checked before the body is parsed', async () => {
      const as = await createToken('old');
      const headers = { 'x-forwarded-for': '127.3.0.40', 'content-type': 'application/json' };
      const send = () => service().request('PUT', '/api/v0/host', { as, headers, raw: 'no JSON' });
      expect(await service().errorCode(send())).toBe('400 invalid_json');
      await expire('old');
      expect(await service().errorCode(send())).toBe('403 token_expired');
    });

    test('a removed host needs another use', async () => {
      const as = await createToken('back', { uses: 2 });
      await enrol(as, '127.3.0.5');
      await service().delete('/api/v0/host/127.3.0.5');
      expect((await enrol(as, '127.3.0.5')).status).toBe(201);
      await service().delete('/api/v0/host/127.3.0.5');
      expect(await service().errorCode(enrol(as, '127.3.0.5'))).toBe('403 token_exhausted');
    });

    test.each<[string, object, object, string, string, ((name: string) => Promise<unknown>)?]>([
      ['without host keys', {}, { host_keys: [] }, '127.3.1.1', '400 invalid_body'],
      ['with an invalid host key', {}, { host_keys: ['x'] }, '127.3.1.2', '400 invalid_body'],
      ['for another address', {}, { host: '127.3.1.99' }, '127.3.1.3', '403 address_mismatch'],
      ['after its expiry', {}, {}, '127.3.1.4', '403 token_expired', expire],
      ['from another network', { cidr: '10.0.0.0/8' }, {}, '127.3.1.5', '403 token_network_mismatch'],
      ['into another cluster', { cluster: 'web' }, { cluster: 'db' }, '127.3.1.6', '403 token_cluster_mismatch'],
      [
        'into a removed cluster',
        { cluster: 'gone' },
        {},
        '127.3.1.7',
        '403 token_cluster_removed',
        () => service().delete('/api/v0/cluster/gone'),
      ],
      [
        'that is already enrolled',
        {},
        {},
        '127.3.1.8',
        '409 host_conflict',
        () => service().put('/api/v0/host/127.3.1.8', { ssh_priv_key: PRIVATE_KEY, host_keys: [HOST_KEY] }),
      ],
    ])('enrols no host %s and stores nothing but the denial', async (_case, ...row) => {
      const [settings, body, address, expected, before] = row;
      await service().put('/api/v0/cluster/gone', { network: 'default' });
      const name = `no-${address.at(-1)}`;
      const as = await createToken(name, settings);
      await before?.(name);
      const stored = await openStoredRows(service().database);
      const rows = await stored.read();
      expect(await service().errorCode(enrol(as, address, body))).toBe(expected);
      expect(await stored.read()).toBe(rows);
      await stored.close();
      const [, code = ''] = expected.split(' ');
      const entries = (await auditEntries('actor=token')).filter(({ data }) => data['token'] === name);
      expect(entries).toMatchObject([{ type: 'request.denied', result: code }]);
    });

    test('treats both notations of an IPv4 address as equal', async () => {
      const as = await createToken('mapped', { cidr: '127.3.0.0/16' });
      expect((await enrol(as, '::ffff:127.3.0.6')).status).toBe(201);
      expect(await isEnrolled('127.3.0.6')).toBe(true);
    });

    test('concurrent requests cannot exceed the number of uses', async () => {
      const as = await createToken('race', { uses: 2, cluster: 'db' });
      const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => enrol(as, `127.3.2.${index + 1}`)));
      const statuses = responses.map(({ status, body }) => (status === 201 ? 201 : body.code)).sort();
      expect(statuses).toEqual([201, 201, ...Array(6).fill('token_exhausted')]);
      expect(await getToken('race')).toMatchObject({ used: 2 });
      expect((await service().get<string[]>('/api/v0/cluster/db/hosts')).body).toHaveLength(2);
    });

    test('concurrent requests of one host count once', async () => {
      const as = await createToken('eager', { uses: 5 });
      const responses = await Promise.all(Array.from({ length: 6 }, () => enrol(as, '127.3.0.7')));
      expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), 201]);
      expect(await getToken('eager')).toMatchObject({ used: 1 });
    });

    test('allows no other route', async () => {
      const as = await createToken('narrow');
      for (const [method, target] of [
        ['GET', '/api/v0/hosts'],
        ['GET', '/api/v0/user'],
        ['GET', path('narrow')],
        ['PUT', '/api/v0/host/127.3.0.8'],
        ['PUT', '/api/v0/user/token/password'],
      ] as const) {
        const body = method === 'PUT' ? { body: { password: 'x', ssh_priv_key: PRIVATE_KEY } } : {};
        expect(await service().errorCode(service().request(method, target, { as, ...body }))).toBe('403 forbidden');
      }
    });

    test('is invalid immediately after removal, and its hosts stay', async () => {
      const as = await createToken('short', { uses: 2 });
      expect((await enrol(as, '127.3.0.9')).status).toBe(201);
      await service().delete(path('short'));
      expect(await service().errorCode(enrol(as, '127.3.0.9'))).toBe('401 unauthorized');
      expect(await isEnrolled('127.3.0.9')).toBe(true);
      const recreated = await createToken('short', { uses: 2 });
      expect(await service().errorCode(enrol(as, '127.3.0.10'))).toBe('401 unauthorized');
      expect(await service().errorCode(enrol(recreated, '127.3.0.9'))).toBe('409 host_conflict');
    });

    test('wrong tokens do not lock out valid tokens or accounts', async () => {
      const as = await createToken('calm');
      const wrong = () => service().errorCode(enrol(`token:hst_${'x'.repeat(43)}`, '127.3.0.11'));
      const errors: string[] = [];
      for (let count = 0; count < 7; count += 1) errors.push(await wrong());
      expect(errors).toEqual([...Array(5).fill('401 unauthorized'), ...Array(2).fill('429 too_many_failed_logins')]);
      expect((await enrol(as, '127.3.0.11')).status).toBe(201);
      const viewer = await service().makeAccount('fresh', 'viewer');
      const headers = { 'x-forwarded-for': '127.3.0.11' };
      expect((await service().get('/api/v0/hosts', { as: viewer, headers })).status).toBe(200);
      const entries = await auditEntries('type=account.login_failed');
      expect(entries.filter(({ subject }) => subject === 'token').length).toBeGreaterThan(0);
    });

    test('only tokens can enrol a host without a private key', async () => {
      const enroller = await service().makeAccount('enroller', 'enrol');
      const response = await enrol(enroller, '127.3.0.12');
      expect([response.status, response.body.errors]).toEqual([
        400,
        [{ path: '/ssh_priv_key', message: 'is required' }],
      ]);
      expect((await enrol(enroller, '127.3.0.12', { ssh_priv_key: PRIVATE_KEY })).status).toBe(201);
    });
  },
  PROXY_SETTINGS,
);

describe('hosts enrolled with a token', () => {
  describeByStore(
    kind => `on ${kind}`,
    kind => {
      const fleet = createFleet();
      const secretKey = randomBytes(32);
      let service: TestService;
      beforeAll(async () => {
        const settings = { ...PROXY_SETTINGS, HOSTLER_SECRET_KEY: secretKey.toString('base64') };
        service = await startTestService(kind, settings, { transport: fleet.transport });
        await service.put('/api/v0/cluster/web', { network: 'default' });
      });
      afterAll(() => service.stop());

      async function serviceKey(): Promise<Secret> {
        const { dataKeys, serviceKey } = service.store.reads;
        const sealedKey = await serviceKey.get();
        if (sealedKey === undefined) throw new Error('service key not found');
        const vault = await openVault(() => [secretKey], dataKeys);
        const opened = await vault.open(sealedKey.privateKey, serviceKeyLocation, dataKeys);
        return new Secret(Buffer.from(opened.reveal()).toString('base64'));
      }

      test('are reached with the service key, whose public key every viewer can read', async () => {
        const acceptedKeys = [await serviceKey(), new Secret(OTHER_PRIVATE_KEY)];
        const host = fleet.add('127.7.3.1' as Address, { os: 'debian', acceptedKeys });
        const { createToken, enrol } = tokenActions(() => service);
        const as = await createToken('racks', { cluster: 'web' });
        expect((await enrol(as, '127.7.3.1', { host_keys: [host.hostKey] })).status).toBe(201);
        const status = async () => (await service.get('/api/v0/host/127.7.3.1')).body;
        await expect.poll(status).toMatchObject({ status: 'active' });
        const viewer = await service.makeAccount('vera', 'viewer');
        const identity = await service.get<{ public_key: string }>('/api/v0/identity', { as: viewer });
        expect(identity.body.public_key).toMatch(/^ssh-ed25519 \S+ hostler$/);
        // A host with its own credentials is a normal host.
        const creds = '/api/v0/host/127.7.3.1/creds';
        expect((await service.put(creds, { ssh_priv_key: OTHER_PRIVATE_KEY })).status).toBe(200);
        expect((await service.get(creds)).body).toMatchObject({ ssh_priv_key: OTHER_PRIVATE_KEY });
        // A repeated enrolment also succeeds after an administrator removed the host from the cluster.
        expect((await service.delete('/api/v0/cluster/web/hosts/127.7.3.1')).status).toBe(200);
        const body = { host_keys: [host.hostKey], cluster: 'web' };
        expect((await enrol(as, '127.7.3.1', body)).status).toBe(200);
      });
    },
  );
});
