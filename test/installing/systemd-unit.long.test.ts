// The unit on a systemd host with Node and the package, which reaches another host over both transports.

import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { createCertificate } from '../harness/certificates/certificates.ts';
import type { NpmPackage } from '../harness/npm-package.ts';
import { createNpmPackage } from '../harness/npm-package.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { runTool } from '../harness/programs/run-tool.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import { createSuiteFolder, createTempFolder } from '../harness/temp-folders.ts';
import { waitUntil } from '../harness/wait-until.ts';

const CONTRIB = path.join(PROJECT, 'contrib/systemd');
const START_MS = 60_000;
const PASSWORD = 'given by the environment';
const SETTINGS = 'listen: 0.0.0.0:8000\nallow_plain_http: true\ndata: /var/lib/hostler\n';

/** Installs Node, the package, the unit and its user as in docs/admin/install.md. */
async function installOn(server: SystemdHost, npmPackage: NpmPackage): Promise<void> {
  const { prefix } = await npmPackage.getInstalled();
  const root = `/proc/${await server.firstProcess()}/root`;
  for (const folder of ['bin', 'lib']) {
    await runTool(['cp', '-a', path.join(prefix, folder), path.join(root, 'usr/local')]);
  }
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'), { dereference: true });
  const unit = (name: string) => readFileSync(path.join(CONTRIB, name), 'utf8');
  await server.write('/etc/systemd/system/hostler.service', unit('hostler.service'));
  await server.write('/etc/sysusers.d/hostler.conf', unit('hostler.sysusers.conf'));
  await server.runChecked(['systemd-sysusers']);
  await server.write('/etc/hostler/hostler.yaml', SETTINGS);
  await server.write('/etc/hostler/hostler.env', `HOSTLER_ADMIN_PASSWORD='${PASSWORD}'\n`, 0o600);
  await server.runChecked(['systemctl', 'daemon-reload']);
}

describeOnSystemdHosts('the systemd service', () => {
  const npmPackage = createNpmPackage(createSuiteFolder('hostler-package-'));
  let [server, other]: [SystemdHost | undefined, SystemdHost | undefined] = [undefined, undefined];
  let client: Client;
  const machine = (): SystemdHost => {
    if (server === undefined) throw new Error('no host');
    return server;
  };
  const showProperty = async (property: string) =>
    (await machine().runChecked(['systemctl', 'show', '-P', property, 'hostler'])).trim();
  /** Journal of the service, for failure messages. */
  const journal = async () => (await machine().run(['journalctl', '-u', 'hostler', '--no-pager', '-n', '60'])).stdout;

  beforeAll(async () => {
    server = await startSystemdHost({ kind: 'apt' });
    other = await startSystemdHost({ kind: 'apt' });
    await installOn(server, npmPackage);
    client = createClient({ baseUrl: `http://${server.address}:8000`, user: 'admin', password: PASSWORD });
  }, IMAGE_BUILD_MS);
  afterAll(async () => {
    await server?.stop();
    await other?.stop();
  });

  test('is ready when systemctl start returns', async () => {
    const started = await machine().run(['systemctl', 'start', 'hostler']);
    expect(started.exitCode, await journal()).toBe(0);
    expect((await client.getReadiness()).status).toBe(200);
    expect(await showProperty('StatusText')).toBe('listening at http://0.0.0.0:8000');
    expect((await machine().runChecked(['stat', '-c', '%U %a', '/var/lib/hostler'])).trim()).toBe('hostler 700');
  });

  test.each(['ssh', 'openssh'] as const)('enrols a host by the transport %s', async transport => {
    const address = other?.address ?? '';
    const { privateKeyBase64 } = await loginKey();
    await client.putHost({ address, body: { ssh_priv_key: privateKeyBase64, transport } });
    const isReady = async () => (await client.getHost({ address })).body.status === 'disassociated';
    await waitUntil(`${address} is ready by ${transport}`, isReady, START_MS).catch(async error => {
      throw new Error(
        `${error}\n${JSON.stringify((await client.getHostStatus({ address })).body)}\n${await journal()}`,
      );
    });
    await client.removeHost({ address });
  });

  test('passes hostler doctor as its own user', async () => {
    const doctor = await machine().run([
      ...(['setpriv', '--reuid=hostler', '--regid=hostler', '--clear-groups', '/usr/local/bin/hostler'] as const),
      ...['doctor', '--config', '/etc/hostler/hostler.yaml'],
    ]);
    expect(doctor.exitCode, doctor.stdout + doctor.stderr).toBe(0);
  });

  test('restarts after a crash and on request', async () => {
    const before = await showProperty('MainPID');
    await machine().runChecked(['kill', '-KILL', before]);
    await waitUntil(
      'the service is restarted',
      async () => {
        const isActive = (await showProperty('ActiveState')) === 'active';
        return isActive && (await showProperty('MainPID')) !== before;
      },
      START_MS,
    );
    await machine().runChecked(['systemctl', 'restart', 'hostler']);
    expect((await client.getReadiness()).status).toBe(200);
  });

  test('stops gracefully', async () => {
    await machine().runChecked(['systemctl', 'stop', 'hostler']);
    expect([await showProperty('Result'), await showProperty('ExecMainStatus')]).toEqual(['success', '0']);
  });

  test('is not restarted with wrong settings', async () => {
    await machine().write('/etc/hostler/hostler.yaml', `${SETTINGS}log_level: loud\n`);
    onTestFinished(async () => {
      await machine().write('/etc/hostler/hostler.yaml', SETTINGS);
      await machine().runChecked(['systemctl', 'reset-failed', 'hostler']);
    });
    expect((await machine().run(['systemctl', 'start', 'hostler'])).exitCode).not.toBe(0);
    const found = [
      await showProperty('ActiveState'),
      await showProperty('ExecMainStatus'),
      await showProperty('NRestarts'),
    ];
    expect(found, await journal()).toEqual(['failed', '78', '0']);
  });

  /** Starts the service with a drop-in of the package until the end of the test. */
  const startWith = async (dropIn: string) => {
    const file = `/etc/systemd/system/hostler.service.d/${dropIn}`;
    await machine().write(file, readFileSync(path.join(CONTRIB, 'hostler.service.d', dropIn), 'utf8'));
    onTestFinished(async () => {
      await machine().runChecked(['systemctl', 'stop', 'hostler']);
      await machine().runChecked(['rm', file]);
      await machine().runChecked(['systemctl', 'daemon-reload']);
    });
    await machine().runChecked(['systemctl', 'daemon-reload']);
    const started = await machine().run(['systemctl', 'start', 'hostler']);
    expect(started.exitCode, await journal()).toBe(0);
  };

  test('loads a certificate whose key only root can read', async () => {
    const { folder, remove } = createTempFolder({});
    onTestFinished(remove);
    const { cert, key } = createCertificate(folder);
    await machine().write('/etc/hostler/cert.pem', readFileSync(cert, 'utf8'), 0o600);
    await machine().write('/etc/hostler/key.pem', readFileSync(key, 'utf8'), 0o600);
    await startWith('certificate.conf');
    expect(await showProperty('StatusText')).toBe('listening at https://0.0.0.0:8000');
  });

  test('loads a secret key that only root can read', async () => {
    await machine().runChecked(['mv', '/var/lib/hostler/secret.key', '/etc/hostler/secret.key']);
    await machine().runChecked(['chown', 'root:root', '/etc/hostler/secret.key']);
    await startWith('secret-key.conf');
    expect((await client.getReadiness()).status).toBe(200);
  });
});
