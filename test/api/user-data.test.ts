// User data that hosts are booted with: what it holds, and that a host which runs it is enrolled.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { CertificatePaths } from '../harness/certificates/certificates.ts';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { HOST_KEY } from '../harness/keys.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const run = promisify(execFile);
let certificate: CertificatePaths | undefined;

const URL_SETTING = 'https://hostler.example:8000/';

onEachStore(
  'user-data',
  service => {
    const make = (body: object = {}, cluster = 'web') =>
      service().put<Problem>(`/api/v0/cluster/${cluster}/user-data`, body);
    const makeCluster = () => service().put('/api/v0/cluster/web', { network: 'default' });
    const tokens = async () => (await service().get<{ name: string }[]>('/api/v0/tokens')).body;

    /** As on a host of its own at its first boot. */
    async function boot(script: string) {
      const root = mkdtempSync(path.join(tmpdir(), 'hostler-user-data-'));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      for (const folder of ['etc/ssh', 'root']) mkdirSync(path.join(root, folder), { recursive: true });
      writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
      writeFileSync(path.join(root, 'etc/ssh/ssh_host_ed25519_key.pub'), `${HOST_KEY} root@host\n`);
      writeFileSync(path.join(root, 'script'), script);
      await run('sh', [path.join(root, 'script')], {
        env: {
          PATH: process.env['PATH'],
          HOSTLER_ROOT_DIR: root,
          HOSTLER_STATE_DIR: path.join(root, 'state'),
        },
        timeout: 20_000,
      });
    }

    test('is a script with a token of its own, and with nothing else that is secret', async () => {
      await makeCluster();
      const made = await make({ uses: 3, expires_in_s: 3600, cidr: '10.0.0.0/8', remote_user: 'core' });
      expect(made.status).toBe(201);
      expect(made.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8');
      const name = made.headers.get('hostler-token-name') ?? '';
      expect((await service().get(`/api/v0/token/${name}`)).body).toMatchObject({
        ...{ name, cluster: 'web', cidr: '10.0.0.0/8', uses: 3, used: 0 },
      });
      const { public_key } = (await service().get<{ public_key: string }>('/api/v0/identity')).body;
      expect(made.text).toMatch(/^#!\/bin\/sh\n# Enrols the host/);
      for (const line of [
        `hostler_url='https://hostler.example:8000'`,
        `hostler_login='token'`,
        `hostler_public_key='${public_key}'`,
        `hostler_user='core'`,
        `hostler_cluster='web'`,
        `hostler_ca=''`,
      ])
        expect(made.text.split('\n')).toContain(line);
      expect(made.text).toMatch(/\nhostler_password='hst_[\w-]{43}'\n/);
      expect(made.text).not.toMatch(/PRIVATE KEY/);
      // The limit of a large cloud.
      expect(made.text.length).toBeLessThan(16_384);
      const other = await make();
      expect(other.headers.get('hostler-token-name')).not.toBe(name);
    });

    test('enrols the host that runs it, into the cluster', async () => {
      await makeCluster();
      const { text, headers } = await make({ url: service().url });
      await boot(text);
      expect((await service().get('/api/v0/cluster/web/hosts')).body).toContain('127.0.0.1');
      expect((await service().get('/api/v0/host/127.0.0.1')).body).toMatchObject({ status: 'investigating' });
      expect((await service().get(`/api/v0/token/${headers.get('hostler-token-name')}`)).body).toMatchObject({
        used: 1,
      });
      await service().delete('/api/v0/host/127.0.0.1');
    });

    test('holds an account and its password in the old way, and the host has a key of its own', async () => {
      await makeCluster();
      await service().makeAccount('enroller', 'enrol', 'pass word');
      const before = (await tokens()).length;
      const legacy = { account: 'enroller', password: 'pass word' };
      const { text, headers } = await make({ url: service().url, legacy });
      expect(headers.get('hostler-token-name')).toBeNull();
      expect(await tokens()).toHaveLength(before);
      await boot(text);
      const { body } = await service().get<{ ssh_priv_key: string }>('/api/v0/host/127.0.0.1/creds');
      expect(Buffer.from(body.ssh_priv_key, 'base64').toString()).toMatch(/OPENSSH PRIVATE KEY/);
      await service().delete('/api/v0/host/127.0.0.1');
    });

    /** Of one that was made for this. */
    const pemOf = (what: 'cert' | 'key') => {
      certificate ??= makeCertificate(mkdtempSync(path.join(tmpdir(), 'hostler-ca-')));
      return readFileSync(certificate[what], 'utf8');
    };

    test('holds the certificates that it was given, and nothing that stood around them', async () => {
      await makeCluster();
      const { status, text } = await make({ ca: `# of ours\n${pemOf('cert')}` });
      expect(status).toBe(201);
      expect(text).toContain(`hostler_ca='${pemOf('cert').trim()}'`);
      expect(text).not.toContain('of ours');
    });

    test.each<[string, Readonly<Record<string, unknown>>, string]>([
      ['an address that is none', { url: 'hostler' }, '/url'],
      ['a certificate that is none', { ca: 'x' }, '/ca'],
      ['a private key beside a certificate', { ca: () => pemOf('cert') + pemOf('key') }, '/ca'],
      ['a password of two lines', { legacy: { account: 'admin', password: 'a\nb' } }, '/legacy/password'],
      ['a network that is none', { cidr: '10.0.0.1/8' }, '/cidr'],
      ['a user that is none', { remote_user: 'a b' }, '/remote_user'],
      ['an unknown account', { legacy: { account: 'nobody', password: 'x' } }, '/legacy/account'],
      ['an account that may not enrol', { legacy: { account: 'looker', password: 'x' } }, '/legacy/account'],
      ['a wrong password', { legacy: { account: 'admin', password: 'x' } }, '/legacy/password'],
    ])('is not made with %s', async (_what, body, field) => {
      await makeCluster();
      await service().makeAccount('looker', 'viewer');
      const before = (await tokens()).length;
      const { ca } = body;
      const refused = await make({ ...body, ...(typeof ca === 'function' && { ca: ca() }) });
      expect([refused.status, refused.body.errors?.map(error => error.path)]).toEqual([400, [field]]);
      expect(await tokens()).toHaveLength(before);
      expect(JSON.stringify(refused.body)).not.toContain(ADMIN_PASSWORD);
    });

    test('is not made for a cluster that is not there', async () => {
      expect((await make({}, 'nowhere')).status).toBe(404);
    });
  },
  { HOSTLER_PUBLIC_URL: URL_SETTING },
);
