// What must not be seen is not there: in no file, no dump, no line of the log, no argument of the process, no trace and no metric; in no
// encoding, and also not while keys are rotated.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceKeyLocation } from '../../src/domain/secret.ts';
import { createClient } from '../../src/sdk/client.ts';
import { decrypt, openVault } from '../../src/secrets/keyring.ts';
import { HOST_KEY } from '../harness/keys.ts';
import { TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import type { Needle } from '../harness/needles.ts';
import { needlesOf, seedOfOpenSsh, seedOfPem } from '../harness/needles.ts';
import { runHostler } from '../harness/programs/process.ts';
import { basic } from '../harness/service.ts';
import { findBinaries } from '../harness/stores/postgres.ts';
import type { StorePlace } from '../harness/stores/stores.ts';
import { describeStores, makeStorePlace, openPlace } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';

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
  refusedKey: randomBytes(60).toString('base64'),
};
const PRIVATE_KEY = Buffer.from(pem).toString('base64');

const known: readonly Needle[] = [
  ...Object.entries(SECRETS).flatMap(([name, secret]) => needlesOf(name, Buffer.from(secret))),
  ...needlesOf('private key', seedOfPem(pem)),
];

const found = (where: string, bytes: Buffer, needles = known) => [
  ...new Set(needles.filter(needle => bytes.includes(needle.bytes)).map(({ name }) => `${name} in ${where}`)),
];

describeStores(
  kind => `secrets, on ${kind}`,
  kind => {
    let place: StorePlace;
    let keyFile: string;
    let collector: TraceReceiver;
    beforeAll(async () => {
      collector = await TraceReceiver.start();
      place = await makeStorePlace(kind);
      keyFile = path.join(mkdtempSync(path.join(tmpdir(), 'hostler-key-')), 'secret.key');
      writeFileSync(keyFile, newSecretKey(), { mode: 0o600 });
    });
    afterAll(async () => {
      await collector.stop();
      await place.remove();
      rmSync(path.dirname(keyFile), { recursive: true });
    });

    const settings = () => ({
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: place.folder,
      HOSTLER_STORE: place.location,
      HOSTLER_LOG_LEVEL: 'trace',
      HOSTLER_SECRET_KEY_FILE: keyFile,
      HOSTLER_ADMIN_PASSWORD: SECRETS.adminPassword,
      HOSTLER_TRACE_ENDPOINT: collector.url,
      HOSTLER_TRACE_HEADERS: `authorization=Bearer ${SECRETS.traceHeader}`,
    });
    /** What the service has made up itself. */
    const made: Needle[] = [];
    const secretKeys = () => readFileSync(keyFile, 'utf8').trim().split('\n');

    /** Signs in, is let in and refused, and stays signed in. */
    async function useSession(baseUrl: string) {
      const call = (method: string, to: string, headers: Record<string, string>) =>
        fetch(baseUrl + to, { method, headers: { 'hostler-dashboard': '1', ...headers } });
      const begun = await call('PUT', '/api/v0/session', {
        authorization: basic(`admin:${SECRETS.adminPassword}`),
      });
      const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
      const [, secret = ''] = cookie.split('=hss_');
      expect(secret).toHaveLength(43);
      made.push(...needlesOf('session', Buffer.from(secret)));
      const answers = [
        await call('GET', '/api/v0/hosts', { cookie }),
        await call('PUT', '/api/v0/network/!', { cookie }),
        await call('PUT', '/api/v0/session', { cookie }),
        await call('GET', '/api/v0/hosts', { cookie: `${cookie}; ${cookie}` }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 401]);
      for (const answer of answers)
        expect(found('an answer', Buffer.from(await answer.text()), made)).toEqual([]);
    }

    async function beBusy(baseUrl: string) {
      const as = (user: string, password: string) => createClient({ baseUrl, user, password });
      const admin = as('admin', SECRETS.adminPassword);
      const { secret = '' } = (await admin.putToken({ name: 'racks', body: { uses: 2 } })).body;
      made.push(...needlesOf('token', Buffer.from(secret.slice(4))));
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
      await until(
        'a failure',
        async () => (await admin.getWebhook({ name: 'chat' })).body.state === 'failing',
      );
      const refused = [
        admin.putWebhook({ name: 'chat', body: { ...hook, events: ['host.*'] } }),
        admin.putWebhook({ name: 'x', body: { ...hook, url: `${hook.url}#${SECRETS.hookToken}` } }),
        as('admin', SECRETS.wrongPassword).listHosts(),
        as('token', `${secret}x`).listHosts(),
        as('token', secret).listHosts(),
        admin.putHost({ address: '127.0.0.3', body: { ssh_priv_key: SECRETS.refusedKey } }),
        admin.putHost({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.refusedKey } }),
        admin.putHostCreds({ address: '127.0.0.1', body: { ssh_priv_key: SECRETS.refusedKey } }),
        admin.putContainerManager({
          name: 'kube',
          body: { type: 'k3s', options: { ...options, token: SECRETS.token } },
        }),
      ];
      for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
        expect(status).toBe('rejected');
        expect(
          found('an error of the client', Buffer.from(`${reason.stack} ${JSON.stringify(reason.problem)}`), [
            ...known,
            ...made,
          ]),
        ).toEqual([]);
      }
    }

    /** What is told in numbers, in both forms; answers the id of a last request that is traced, too: those for numbers are not. */
    async function readMetrics(baseUrl: string) {
      const authorization = basic(`admin:${SECRETS.adminPassword}`);
      const answers = [];
      for (const accept of ['text/plain', 'application/openmetrics-text'])
        answers.push(await fetch(`${baseUrl}/metrics`, { headers: { authorization, accept } }));
      const texts = await Promise.all(answers.map(answer => answer.text()));
      const last = await fetch(`${baseUrl}/api/v0/overview`, { headers: { authorization } });
      return { metrics: texts.join('\n'), requestId: last.headers.get('x-request-id') ?? '' };
    }

    /** What only the service knows: its secret keys, its data keys and its own SSH key. */
    async function ownSecrets(): Promise<readonly Needle[]> {
      const keys = secretKeys().map(key => Buffer.from(key, 'base64'));
      const [first, ...others] = keys;
      if (first === undefined) throw new Error('there is no secret key');
      const store = await openPlace(place, { attach: true });
      const { dataKeys, serviceKey } = store.reads;
      const vault = await openVault(() => [first, ...others], dataKeys);
      const own = await serviceKey.get();
      if (own === undefined) throw new Error('there is no identity');
      const privateKey = (await vault.open(own.privateKey, serviceKeyLocation, dataKeys)).reveal();
      const [kept] = await dataKeys.all();
      const dataKey = decrypt(first, Buffer.from(kept?.wrapped ?? '', 'base64'), `data key ${kept?.id}`);
      await store.close();
      return [
        ...needlesOf('secret key', first),
        ...needlesOf('data key', Buffer.from(dataKey, 'base64')),
        ...needlesOf('identity', seedOfOpenSsh(privateKey, own.publicKey)),
      ];
    }

    /** The command, beside the running service. */
    async function rotate() {
      if (kind === 'postgres') writeFileSync(keyFile, `${newSecretKey()}\n${secretKeys().join('\n')}\n`);
      const rotation = runHostler(['secrets', 'rotate'], settings());
      expect(await rotation.ended).toMatchObject({ code: 0 });
      return rotation.stdout + rotation.stderr;
    }

    test('are in no file, no dump, no line of the log, no argument, no trace and no metric', async () => {
      const server = runHostler(['serve'], settings());
      await beBusy(await server.url());
      const { metrics, requestId } = await readMetrics(await server.url());
      const before = await ownSecrets();
      const said = await rotate();
      const needles = [...known, ...made, ...before, ...(await ownSecrets())];
      const leaks = found('the arguments', readFileSync(`/proc/${server.child.pid}/cmdline`), needles);
      await until('all is traced', () =>
        collector.spans.some(({ attributes }) => attributes['hostler.request_id'] === requestId),
      );
      await server.kill('SIGKILL');
      expect(metrics).toContain('hostler_hosts{cluster="c"');
      leaks.push(...found('the metrics', Buffer.from(metrics), needles));
      expect(collector.headers[0]?.authorization).toBe(`Bearer ${SECRETS.traceHeader}`);
      expect(collector.spans.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['PUT /api/v0/host/{address}', 'connect']),
      );
      leaks.push(...found('the traces', Buffer.from(collector.bodies.join('\n')), needles));
      leaks.push(...found('the log', Buffer.from(said + server.stdout + server.stderr), needles));
      expect(server.stderr.length).toBeGreaterThan(1000);
      for (const name of readdirSync(place.folder)) {
        leaks.push(...found(name, readFileSync(path.join(place.folder, name)), needles));
      }
      if (kind === 'postgres') {
        const dump = execFileSync(path.join(findBinaries() ?? '', 'pg_dump'), [place.location]);
        expect(dump.toString()).toContain('host_access');
        leaks.push(...found('the dump', dump, needles));
      } else expect(readdirSync(place.folder)).toContain('hostler.sqlite-wal');
      expect(leaks).toEqual([]);
    });

    const texts = Object.values(SECRETS);
    const keys = [pem, PRIVATE_KEY];

    test.each<[string, readonly string[], (text: string) => string]>([
      ['as they are', [...texts, ...keys], text => text],
      ['in JSON', [...texts, ...keys], text => JSON.stringify({ text })],
      ['with line breaks as a dump writes them', keys, text => text.replaceAll('\n', '\\n')],
      ['in base64', [...texts, pem], text => Buffer.from(text).toString('base64')],
      ['in base64 of something longer', [...texts, pem], text => Buffer.from(`x${text}`).toString('base64')],
      ['in hexadecimal', texts, text => Buffer.from(text).toString('hex')],
    ])('would be found %s', (_how, secrets, write) => {
      for (const secret of secrets) {
        expect(found('x', Buffer.from(`before ${write(secret)} after`))).toHaveLength(1);
      }
    });

    test('would not be found where they are not: what all keys share gives nothing away', () => {
      const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
      expect(found('x', Buffer.from(other))).toEqual([]);
    });
  },
);
