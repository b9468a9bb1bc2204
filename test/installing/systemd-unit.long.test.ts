// The unit for real: a whole system under systemd with Node and the package, which reaches another host by both transports.

import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { runTool } from '../harness/hosts/run-tool.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import { folderOfTests } from '../harness/package/folder-of-tests.ts';
import { installed } from '../harness/package/installed.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS } from '../hosts/host-status.ts';

const CONTRIB = path.join(PROJECT, 'contrib/systemd');
const START_MS = 60_000;
const PASSWORD = 'given by the environment';
const SETTINGS = 'listen: 0.0.0.0:8000\nallow_plain_http: true\ndata: /var/lib/hostler\n';

/** Node, the package, the unit and its user, as docs/admin/install.md says. */
async function installOn(server: SystemdHost): Promise<void> {
  const { prefix } = await installed();
  const root = `/proc/${await server.firstProcess()}/root`;
  for (const folder of ['bin', 'lib']) {
    await runTool(['cp', '-a', path.join(prefix, folder), path.join(root, 'usr/local')]);
  }
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'), { dereference: true });
  const unit = (name: string) => readFileSync(path.join(CONTRIB, name), 'utf8');
  await server.write('/etc/systemd/system/hostler.service', unit('hostler.service'));
  await server.write('/etc/sysusers.d/hostler.conf', unit('hostler.sysusers.conf'));
  await server.must(['systemd-sysusers']);
  await server.write('/etc/hostler/hostler.yaml', SETTINGS);
  await server.write('/etc/hostler/hostler.env', `HOSTLER_ADMIN_PASSWORD='${PASSWORD}'\n`, 0o600);
  await server.must(['systemctl', 'daemon-reload']);
}

describeOnSystemdHosts('the service as a unit of systemd', () => {
  let [server, other]: [SystemdHost | undefined, SystemdHost | undefined] = [undefined, undefined];
  let client: Client;
  const on = (): SystemdHost => {
    if (server === undefined) throw new Error('there is no host');
    return server;
  };
  const shown = async (property: string) =>
    (await on().must(['systemctl', 'show', '-P', property, 'hostler'])).trim();
  /** What systemd says of it when it does not do as it should. */
  const journal = async () =>
    (await on().run(['journalctl', '-u', 'hostler', '--no-pager', '-n', '60'])).stdout;

  beforeAll(async () => {
    server = await startSystemdHost({ kind: 'apt' });
    other = await startSystemdHost({ kind: 'apt' });
    await installOn(server);
    client = createClient({ baseUrl: `http://${server.address}:8000`, user: 'admin', password: PASSWORD });
  }, FIRST_BUILD_MS);
  afterAll(async () => {
    await server?.stop();
    await other?.stop();
  }, 60_000);

  test('is ready when systemctl start says so', async () => {
    const started = await on().run(['systemctl', 'start', 'hostler']);
    expect(started.exitCode, await journal()).toBe(0);
    expect((await client.getReadiness()).status).toBe(200);
    expect(await shown('StatusText')).toBe('listening at http://0.0.0.0:8000');
    expect((await on().must(['stat', '-c', '%U %a', '/var/lib/hostler'])).trim()).toBe('hostler 700');
  });

  test.each(['ssh', 'openssh'] as const)('brings in a host by the transport %s', async transport => {
    const address = other?.address ?? '';
    const { privateKeyBase64 } = await loginKey();
    await client.putHost({ address, body: { ssh_priv_key: privateKeyBase64, transport } });
    const isReady = async () => (await client.getHost({ address })).body.status === 'disassociated';
    await until(`${address} is ready by ${transport}`, isReady, START_MS).catch(async error => {
      throw new Error(
        `${error}\n${JSON.stringify((await client.getHostStatus({ address })).body)}\n${await journal()}`,
      );
    });
    await client.removeHost({ address });
  });

  test('is examined by its own user with its own settings', async () => {
    const doctor = await on().run([
      ...([
        'setpriv',
        '--reuid=hostler',
        '--regid=hostler',
        '--clear-groups',
        '/usr/local/bin/hostler',
      ] as const),
      ...['doctor', '--config', '/etc/hostler/hostler.yaml'],
    ]);
    expect(doctor.exitCode, doctor.stdout + doctor.stderr).toBe(0);
  });

  test('comes back after a crash, and after a restart', async () => {
    const before = await shown('MainPID');
    await on().must(['kill', '-KILL', before]);
    await until(
      'it is started again',
      async () => {
        const isActive = (await shown('ActiveState')) === 'active';
        return isActive && (await shown('MainPID')) !== before;
      },
      START_MS,
    );
    await on().must(['systemctl', 'restart', 'hostler']);
    expect((await client.getReadiness()).status).toBe(200);
  });

  test('stops in order', async () => {
    await on().must(['systemctl', 'stop', 'hostler']);
    expect([await shown('Result'), await shown('ExecMainStatus')]).toEqual(['success', '0']);
  });

  test('is not started again and again with wrong settings', async () => {
    await on().write('/etc/hostler/hostler.yaml', `${SETTINGS}log_level: loud\n`);
    onTestFinished(async () => {
      await on().write('/etc/hostler/hostler.yaml', SETTINGS);
      await on().must(['systemctl', 'reset-failed', 'hostler']);
    });
    expect((await on().run(['systemctl', 'start', 'hostler'])).exitCode).not.toBe(0);
    const found = [await shown('ActiveState'), await shown('ExecMainStatus'), await shown('NRestarts')];
    expect(found, await journal()).toEqual(['failed', '78', '0']);
  });

  /** The service with one drop-in as it is in the package, until the test is over. */
  const startWith = async (dropIn: string) => {
    const place = `/etc/systemd/system/hostler.service.d/${dropIn}`;
    await on().write(place, readFileSync(path.join(CONTRIB, 'hostler.service.d', dropIn), 'utf8'));
    onTestFinished(async () => {
      await on().must(['systemctl', 'stop', 'hostler']);
      await on().must(['rm', place]);
      await on().must(['systemctl', 'daemon-reload']);
    });
    await on().must(['systemctl', 'daemon-reload']);
    const started = await on().run(['systemctl', 'start', 'hostler']);
    expect(started.exitCode, await journal()).toBe(0);
  };

  test('takes a certificate whose key only root may read', async () => {
    const folder = folderOfTests('hostler-certificate-');
    const { cert, key } = makeCertificate(folder);
    await on().write('/etc/hostler/cert.pem', readFileSync(cert, 'utf8'), 0o600);
    await on().write('/etc/hostler/key.pem', readFileSync(key, 'utf8'), 0o600);
    await startWith('certificate.conf');
    expect(await shown('StatusText')).toBe('listening at https://0.0.0.0:8000');
  });

  test('takes a secret key that only root may read', async () => {
    await on().must(['mv', '/var/lib/hostler/secret.key', '/etc/hostler/secret.key']);
    await on().must(['chown', 'root:root', '/etc/hostler/secret.key']);
    await startWith('secret-key.conf');
    expect((await client.getReadiness()).status).toBe(200);
  });
});
