// Secrets must not appear in a file, dump, log line, process argument, trace or metric, in any encoding, also
// not during key rotation.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceKeyLocation } from '../../src/domain/secret.ts';
import { createClient } from '../../src/sdk/client.ts';
import { decrypt, openVault } from '../../src/secrets/keyring.ts';
import { basic, HOST_KEY } from '../harness/credentials.ts';
import { TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { runHostler } from '../harness/programs/process.ts';
import { serverSettings } from '../harness/programs/server-process.ts';
import type { SecretPattern } from '../harness/secret-patterns.ts';
import { extractOpenSshSeed, extractPemSeed, secretPatterns } from '../harness/secret-patterns.ts';
import { findPostgresBinaries } from '../harness/stores/postgres.ts';
import type { TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describeByStore, openTestDatabase } from '../harness/stores/stores.ts';
import { waitUntil } from '../harness/wait-until.ts';

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const newSecretKey = () => randomBytes(32).toString('base64');

const SECRETS = {
  adminPassword: `admin-${randomBytes(12).toString('hex')}`,
  otherPassword: `other-${randomBytes(12).toString('hex')}`,
  changedPassword: `changed-${randomBytes(12).toString('hex')}`,
  wrongPassword: `wrong-${randomBytes(12).toString('hex')}`,
  token: `token-${randomBytes(12).toString('hex')}`,
  hookToken: `hook-token-${randomBytes(12).toString('hex')}`,
  hookSecret: `hook-secret-${randomBytes(12).toString('hex')}`,
  traceHeader: `trace-${randomBytes(12).toString('hex')}`,
  rejectedKey: randomBytes(60).toString('base64'),
};
const PRIVATE_KEY = Buffer.from(pem).toString('base64');

const knownNeedles: readonly SecretPattern[] = [
  ...Object.entries(SECRETS).flatMap(([name, secret]) => secretPatterns(name, Buffer.from(secret))),
  ...secretPatterns('private key', extractPemSeed(pem)),
];

const findLeaks = (where: string, bytes: Buffer, needles = knownNeedles) => [
  ...new Set(needles.filter(needle => bytes.includes(needle.bytes)).map(({ name }) => `${name} in ${where}`)),
];

describeByStore(
  kind => `secrets, on ${kind}`,
  kind => {
    let database: TestDatabase;
    let keyFile: string;
    let collector: TraceReceiver;
    beforeAll(async () => {
      collector = await TraceReceiver.start();
      database = await createTestDatabase(kind);
      keyFile = path.join(mkdtempSync(path.join(tmpdir(), 'hostler-key-')), 'secret.key');
      writeFileSync(keyFile, newSecretKey(), { mode: 0o600 });
    });
    afterAll(async () => {
      await collector.stop();
      await database.remove();
      rmSync(path.dirname(keyFile), { recursive: true });
    });

    const settings = () =>
      serverSettings(database, {
        HOSTLER_LOG_LEVEL: 'trace',
        HOSTLER_SECRET_KEY_FILE: keyFile,
        HOSTLER_ADMIN_PASSWORD: SECRETS.adminPassword,
        HOSTLER_TRACE_ENDPOINT: collector.url,
        HOSTLER_TRACE_HEADERS: `authorization=Bearer ${SECRETS.traceHeader}`,
      });
    /** Secrets that the service generated. */
    const generatedNeedles: SecretPattern[] = [];
    const secretKeys = () => readFileSync(keyFile, 'utf8').trim().split('\n');

    /** Logs in and sends accepted and rejected requests with the session cookie. */
    async function useSession(baseUrl: string) {
      const call = (method: string, to: string, headers: Record<string, string>) =>
        fetch(baseUrl + to, { method, headers: { 'hostler-dashboard': '1', ...headers } });
      const login = await call('PUT', '/api/v0/session', {
        authorization: basic(`admin:${SECRETS.adminPassword}`),
      });
      const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
      const [, secret = ''] = cookie.split('=hss_');
      expect(secret).toHaveLength(43);
      generatedNeedles.push(...secretPatterns('session', Buffer.from(secret)));
      const responses = [
        await call('GET', '/api/v0/hosts', { cookie }),
        await call('PUT', '/api/v0/network/!', { cookie }),
        await call('PUT', '/api/v0/session', { cookie }),
        await call('GET', '/api/v0/hosts', { cookie: `${cookie}; ${cookie}` }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 400, 401, 401]);
      for (const response of responses)
        expect(findLeaks('a response', Buffer.from(await response.text()), generatedNeedles)).toEqual([]);
    }

    async function useService(baseUrl: string) {
      const as = (user: string, password: string) => createClient({ baseUrl, user, password });
      const admin = as('admin', SECRETS.adminPassword);
      const { secret = '' } = (await admin.putToken({ name: 'racks', body: { uses: 2 } })).body;
      generatedNeedles.push(...secretPatterns('token', Buffer.from(secret.slice(4))));
      await as('token', secret).enrolSelf({ body: { host_keys: [HOST_KEY], ssh_port: 1 } });
      await admin.removeHost({ address: '127.0.0.1' });
      await useSession(baseUrl);
      const options = { server_url: 'https://127.0.0.1:6443', token: SECRETS.token };
      await admin.putContainerManager({ name: 'kube', body: { type: 'kubernetes', options } });
      await admin.putCluster({ name: 'c', body: { network: 'default', container_manager: 'kube' } });
      await admin.putHost({ address: '127.0.0.1', body: { ssh_priv_key: PRIVATE_KEY, cluster: 'c' } });
      await admin.putHost({ address: '127.0.0.2', body: { ssh_priv_key: PRIVATE_KEY, cluster: 'c' } });
      await admin.removeHost({ address: '127.0.0.2' });
      await admin.putAccount({ name: 'ann', body: { password: SECRETS.otherPassword, role: 'operator' } });
      await admin.changePassword({ name: 'ann', body: { password: SECRETS.changedPassword } });
      expect((await admin.getHostCreds({ address: '127.0.0.1' })).body.ssh_priv_key).toBe(PRIVATE_KEY);
      expect((await admin.getContainerManager({ name: 'kube' })).body.options['token']).toBe(SECRETS.token);
      const hook = { url: `http://localhost/${SECRETS.hookToken}`, secret: SECRETS.hookSecret };
      await admin.putWebhook({ name: 'chat', body: hook });
      expect((await admin.testWebhook({ name: 'chat', body: {} })).body.ok).toBe(false);
      await waitUntil('a failure', async () => (await admin.getWebhook({ name: 'chat' })).body.state === 'failing');
      const rejected = [
        admin.putWebhook({ name: 'chat', body: { ...hook, events: ['host.*'] } }),
        admin.putWebhook({ name: 'x', body: { ...hook, url: `${hook.url}#${SECRETS.hookToken}` } }),
        as('admin', SECRETS.wrongPassword).listHosts(),
        as('token', `${secret}x`).listHosts(),
        as('token', secret).listHosts(),
        admin.putHost({ address: '127.0.0.3', body: { ssh_priv_key: SECRETS.rejectedKey } }),
        admin.putHost({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.rejectedKey } }),
        admin.putHostCreds({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.rejectedKey } }),
        admin.putContainerManager({
          name: 'kube',
          body: { type: 'k3s', options: { ...options, token: SECRETS.token } },
        }),
      ];
      for (const { status, reason } of (await Promise.allSettled(rejected)) as PromiseRejectedResult[]) {
        expect(status).toBe('rejected');
        expect(
          findLeaks('a client error', Buffer.from(`${reason.stack} ${JSON.stringify(reason.problem)}`), [
            ...knownNeedles,
            ...generatedNeedles,
          ]),
        ).toEqual([]);
      }
    }

    /**
     * Reads the metrics in both formats. Returns them and the ID of a last request that is traced, because
     * requests for metrics are not.
     */
    async function readMetrics(baseUrl: string) {
      const authorization = basic(`admin:${SECRETS.adminPassword}`);
      const responses = [];
      for (const accept of ['text/plain', 'application/openmetrics-text'])
        responses.push(await fetch(`${baseUrl}/metrics`, { headers: { authorization, accept } }));
      const texts = await Promise.all(responses.map(response => response.text()));
      const last = await fetch(`${baseUrl}/api/v0/overview`, { headers: { authorization } });
      return { metrics: texts.join('\n'), requestId: last.headers.get('x-request-id') ?? '' };
    }

    /** Secrets that only the service knows: its secret keys, data keys and SSH key. */
    async function ownSecrets(): Promise<readonly SecretPattern[]> {
      const keys = secretKeys().map(key => Buffer.from(key, 'base64'));
      const [first, ...others] = keys;
      if (first === undefined) throw new Error('no secret key');
      const store = await openTestDatabase(database, { attach: true });
      const { dataKeys, serviceKey } = store.reads;
      const vault = await openVault(() => [first, ...others], dataKeys);
      const identity = await serviceKey.get();
      if (identity === undefined) throw new Error('no identity');
      const privateKey = (await vault.open(identity.privateKey, serviceKeyLocation, dataKeys)).reveal();
      const [stored] = await dataKeys.listAll();
      const dataKey = decrypt(first, Buffer.from(stored?.wrapped ?? '', 'base64'), `data key ${stored?.id}`);
      await store.close();
      return [
        ...secretPatterns('secret key', first),
        ...secretPatterns('data key', Buffer.from(dataKey, 'base64')),
        ...secretPatterns('identity', extractOpenSshSeed(privateKey, identity.publicKey)),
      ];
    }

    /** Runs the command beside the running service. */
    async function rotate() {
      if (kind === 'postgres') writeFileSync(keyFile, `${newSecretKey()}\n${secretKeys().join('\n')}\n`);
      const rotation = runHostler(['secrets', 'rotate'], settings());
      expect(await rotation.ended).toMatchObject({ code: 0 });
      return rotation.stdout + rotation.stderr;
    }

    test('are in no file, dump, log line, argument, trace or metric', async () => {
      const server = runHostler(['serve'], settings());
      await useService(await server.url());
      const { metrics, requestId } = await readMetrics(await server.url());
      const before = await ownSecrets();
      const rotationOutput = await rotate();
      const needles = [...knownNeedles, ...generatedNeedles, ...before, ...(await ownSecrets())];
      const leaks = findLeaks('the arguments', readFileSync(`/proc/${server.child.pid}/cmdline`), needles);
      await waitUntil('all requests are traced', () =>
        collector.spans.some(({ attributes }) => attributes['hostler.request_id'] === requestId),
      );
      await server.kill('SIGKILL');
      expect(metrics).toContain('hostler_hosts{cluster="c"');
      leaks.push(...findLeaks('the metrics', Buffer.from(metrics), needles));
      expect(collector.headers[0]?.authorization).toBe(`Bearer ${SECRETS.traceHeader}`);
      expect(collector.spans.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['PUT /api/v0/host/{address}', 'connect']),
      );
      leaks.push(...findLeaks('the traces', Buffer.from(collector.bodies.join('\n')), needles));
      leaks.push(...findLeaks('the log', Buffer.from(rotationOutput + server.stdout + server.stderr), needles));
      expect(server.stderr.length).toBeGreaterThan(1000);
      for (const name of readdirSync(database.folder)) {
        leaks.push(...findLeaks(name, readFileSync(path.join(database.folder, name)), needles));
      }
      if (kind === 'postgres') {
        const dump = execFileSync(path.join(findPostgresBinaries() ?? '', 'pg_dump'), [database.location]);
        expect(dump.toString()).toContain('host_access');
        leaks.push(...findLeaks('the dump', dump, needles));
      } else expect(readdirSync(database.folder)).toContain('hostler.sqlite-wal');
      expect(leaks).toEqual([]);
    });
  },
);
