// The generated user data script, and the enrolment of a host that runs it.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { CertificatePaths } from '../harness/certificates/certificates.ts';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { ADMIN_PASSWORD, HOST_KEY } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { createSuiteFolder } from '../harness/temp-folders.ts';

const run = promisify(execFile);

const URL_SETTING = 'https://hostler.example:8000/';

describeServer(
  'user-data',
  service => {
    const createUserData = (body: object = {}, cluster = 'web') =>
      service().put<Problem>(`/api/v0/cluster/${cluster}/user-data`, body);
    const tokens = async () => (await service().get<{ name: string }[]>('/api/v0/tokens')).body;

    /** Runs the script with the files of a host at first boot. */
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

    test('is a script with its own token and no other secret', async () => {
      await service().makeCluster('web');
      const created = await createUserData({
        uses: 3,
        expires_in_s: 3600,
        cidr: '10.0.0.0/8',
        remote_user: 'core',
      });
      expect(created.status).toBe(201);
      expect(created.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8');
      const name = created.headers.get('hostler-token-name') ?? '';
      expect((await service().get(`/api/v0/token/${name}`)).body).toMatchObject({
        ...{ name, cluster: 'web', cidr: '10.0.0.0/8', uses: 3, used: 0 },
      });
      const { public_key } = (await service().get<{ public_key: string }>('/api/v0/identity')).body;
      expect(created.text).toMatch(/^#!\/bin\/sh\n# Enrols the host/);
      for (const line of [
        `hostler_url='https://hostler.example:8000'`,
        `hostler_login='token'`,
        `hostler_public_key='${public_key}'`,
        `hostler_user='core'`,
        `hostler_cluster='web'`,
        `hostler_ca=''`,
      ])
        expect(created.text.split('\n')).toContain(line);
      expect(created.text).toMatch(/\nhostler_password='hst_[\w-]{43}'\n/);
      expect(created.text).not.toMatch(/PRIVATE KEY/);
      // The user data limit of AWS EC2.
      expect(created.text.length).toBeLessThan(16_384);
      const other = await createUserData();
      expect(other.headers.get('hostler-token-name')).not.toBe(name);
    });

    test('enrols the host that runs it into the cluster', async () => {
      await service().makeCluster('web');
      const { text, headers } = await createUserData({ url: service().url });
      await boot(text);
      expect((await service().get('/api/v0/cluster/web/hosts')).body).toContain('127.0.0.1');
      expect((await service().get('/api/v0/host/127.0.0.1')).body).toMatchObject({ status: 'investigating' });
      expect((await service().get(`/api/v0/token/${headers.get('hostler-token-name')}`)).body).toMatchObject({
        used: 1,
      });
      await service().delete('/api/v0/host/127.0.0.1');
    });

    test('contains an account and its password with `legacy`, and the host creates its own key', async () => {
      await service().makeCluster('web');
      await service().makeAccount('enroller', 'enrol', 'pass word');
      const before = (await tokens()).length;
      const legacy = { account: 'enroller', password: 'pass word' };
      const { text, headers } = await createUserData({ url: service().url, legacy });
      expect(headers.get('hostler-token-name')).toBeNull();
      expect(await tokens()).toHaveLength(before);
      await boot(text);
      const { body } = await service().get<{ ssh_priv_key: string }>('/api/v0/host/127.0.0.1/creds');
      expect(Buffer.from(body.ssh_priv_key, 'base64').toString()).toMatch(/OPENSSH PRIVATE KEY/);
      await service().delete('/api/v0/host/127.0.0.1');
    });

    let certificate: CertificatePaths | undefined;
    const certificateFolder = createSuiteFolder('hostler-ca-');
    /** From a certificate created for these tests. */
    const pemOf = (part: 'cert' | 'key') => {
      certificate ??= createCertificate(certificateFolder());
      return readFileSync(certificate[part], 'utf8');
    };

    test('contains only the certificates of `ca`', async () => {
      await service().makeCluster('web');
      const { status, text } = await createUserData({ ca: `# ca-note\n${pemOf('cert')}` });
      expect(status).toBe(201);
      expect(text).toContain(`hostler_ca='${pemOf('cert').trim()}'`);
      expect(text).not.toContain('ca-note');
    });

    test.each<[string, Readonly<Record<string, unknown>>, string]>([
      ['an invalid URL', { url: 'hostler' }, '/url'],
      ['an invalid certificate', { ca: 'x' }, '/ca'],
      ['a private key after a certificate', { ca: () => pemOf('cert') + pemOf('key') }, '/ca'],
      ['a password of two lines', { legacy: { account: 'admin', password: 'a\nb' } }, '/legacy/password'],
      ['an invalid network', { cidr: '10.0.0.1/8' }, '/cidr'],
      ['an invalid user name', { remote_user: 'a b' }, '/remote_user'],
      ['an unknown account', { legacy: { account: 'unknown', password: 'x' } }, '/legacy/account'],
      ['an account that cannot enrol hosts', { legacy: { account: 'reader', password: 'x' } }, '/legacy/account'],
      ['a wrong password', { legacy: { account: 'admin', password: 'x' } }, '/legacy/password'],
    ])('is rejected with %s', async (_case, body, field) => {
      await service().makeCluster('web');
      await service().makeAccount('reader', 'viewer');
      const before = (await tokens()).length;
      const { ca } = body;
      const response = await createUserData({ ...body, ...(typeof ca === 'function' && { ca: ca() }) });
      expect([response.status, response.body.errors?.map(error => error.path)]).toEqual([400, [field]]);
      expect(await tokens()).toHaveLength(before);
      expect(JSON.stringify(response.body)).not.toContain(ADMIN_PASSWORD);
    });

    test('returns 404 for an unknown cluster', async () => {
      expect((await createUserData({}, 'nowhere')).status).toBe(404);
    });
  },
  { HOSTLER_PUBLIC_URL: URL_SETTING },
);
