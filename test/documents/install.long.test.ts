// Runs the installation guide on a systemd host with Node and npm. It shares the network of this machine,
// because npm needs its registry.

import { cpSync, existsSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../src/domain/command.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { createNpmPackage, registryEnvironment } from '../harness/npm-package.ts';
import { findProgram } from '../harness/programs/find-program.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import { createSuiteFolder } from '../harness/temp-folders.ts';

const TEST_MS = 600_000;
const BLOCK_MS = 240_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The example without the certificate settings. */
const SETTINGS = 'listen: 127.0.0.1:8000\ndata: /var/lib/hostler\n';

/** Installs Node and npm of this machine, and copies the registry settings. */
async function installNode(root: string): Promise<void> {
  const inside = (name: string) => path.join(root, name);
  const npm = realpathSync(findProgram('npm'));
  cpSync(process.execPath, inside('usr/local/bin/node'), { dereference: true });
  cpSync(path.dirname(path.dirname(npm)), inside('usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', inside('usr/local/bin/npm'));
  for (const file of ['/etc/resolv.conf', ...Object.values(registryEnvironment())])
    if (file.startsWith('/') && existsSync(file)) cpSync(file, inside(file), { dereference: true });
}

describeOnSystemdHosts('install.md', () => {
  const npmPackage = createNpmPackage(createSuiteFolder('hostler-package-'));
  let server: SystemdHost | undefined;
  beforeAll(async () => {
    server = await startSystemdHost({ kind: 'apt' });
  }, IMAGE_BUILD_MS);
  afterAll(() => server?.stop());

  test('the commands work from the package to the service and back', { timeout: TEST_MS }, async () => {
    if (server === undefined) throw new Error('not started');
    const machine = server;
    const pid = String(await machine.firstProcess());
    const root = `/proc/${pid}/root`;
    await installNode(root);
    const { tarball } = await npmPackage.getPacked();
    cpSync(tarball, path.join(root, 'root', path.basename(tarball)));
    const shell: Argv = ['nsenter', '-t', pid, '--mount', '--uts', '--ipc', '--pid', '--', 'bash'];
    const environment = { PATH, HOME: '/root', ...registryEnvironment() };
    await runDocument(
      'docs/admin/install.md',
      { terminal: { shell, cwd: '/', environment } },
      {
        setup: 'cd /root',
        deadlineMs: BLOCK_MS,
        rules: [
          // The test has already packed a copy of this checkout.
          { contains: 'npm pack', rewrite: text => text.replace('npm pack\n', '') },
          {
            contains: 'enable --now',
            before: () => machine.write('/etc/hostler/hostler.yaml', SETTINGS),
            expectOutput: /API +http:\/\/127\.0\.0\.1:8000[\s\S]*password/,
          },
          {
            contains: 'disable --now',
            before: async () => {
              expect((await machine.runChecked(['systemctl', 'is-active', 'hostler'])).trim()).toBe('active');
            },
          },
        ],
      },
    );
    expect((await machine.run(['systemctl', 'is-active', 'hostler'])).stdout.trim()).toBe('inactive');
    expect((await machine.run(['sh', '-c', 'command -v hostler'])).exitCode).not.toBe(0);
    expect(await machine.runChecked(['ls', '/var/lib/hostler'])).toContain('hostler.sqlite');
  });
});
