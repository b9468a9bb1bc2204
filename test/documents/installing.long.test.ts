// The guide to installing, typed on a whole system under systemd with Node and npm on it. It has the network of this machine, since npm
// asks its registry.

import { cpSync, existsSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../src/domain/command.ts';
import { readThrough } from '../harness/documents/read-through.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { runTool } from '../harness/hosts/run-tool.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import { packed } from '../harness/package/packed.ts';
import { registryAccess } from '../harness/package/registry-access.ts';
import { FIRST_BUILD_MS } from '../hosts/host-status.ts';

const TEST_MS = 600_000;
const BLOCK_MS = 240_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The example, without the certificate that it asks for. */
const SETTINGS = 'listen: 127.0.0.1:8000\ndata: /var/lib/hostler\n';

/** Node and npm as they are here, and how the registry is reached. */
async function putNodeOn(root: string): Promise<void> {
  const inside = (name: string) => path.join(root, name);
  const npm = realpathSync((await runTool(['sh', '-c', 'command -v npm'])).trim());
  cpSync(process.execPath, inside('usr/local/bin/node'), { dereference: true });
  cpSync(path.dirname(path.dirname(npm)), inside('usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', inside('usr/local/bin/npm'));
  for (const file of ['/etc/resolv.conf', ...Object.values(registryAccess())])
    if (file.startsWith('/') && existsSync(file)) cpSync(file, inside(file), { dereference: true });
}

describeOnSystemdHosts('what the guide to installing gives to type works', () => {
  let server: SystemdHost | undefined;
  beforeAll(async () => {
    server = await startSystemdHost({ kind: 'apt' });
  }, FIRST_BUILD_MS);
  afterAll(() => server?.stop(), 60_000);

  test('from the package to the service, and back', { timeout: TEST_MS }, async () => {
    if (server === undefined) throw new Error('it was not started');
    const on = server;
    const pid = String(await on.firstProcess());
    const root = `/proc/${pid}/root`;
    await putNodeOn(root);
    const { tarball } = await packed();
    cpSync(tarball, path.join(root, 'root', path.basename(tarball)));
    const shell: Argv = ['nsenter', '-t', pid, '--mount', '--uts', '--ipc', '--pid', '--', 'bash'];
    const environment = { PATH, HOME: '/root', ...registryAccess() };
    await readThrough(
      'docs/admin/install.md',
      { terminal: { shell, cwd: '/', environment } },
      {
        typedBefore: 'cd /root',
        deadlineMs: BLOCK_MS,
        rules: [
          // It was packed in a copy of this checkout, and is there.
          { has: 'npm pack', typedAs: text => text.replace('npm pack\n', '') },
          {
            has: 'enable --now',
            before: () => on.write('/etc/hostler/hostler.yaml', SETTINGS),
            says: /API +http:\/\/127\.0\.0\.1:8000[\s\S]*password/,
          },
          {
            has: 'disable --now',
            before: async () => {
              expect((await on.must(['systemctl', 'is-active', 'hostler'])).trim()).toBe('active');
            },
          },
        ],
      },
    );
    expect((await on.run(['systemctl', 'is-active', 'hostler'])).stdout.trim()).toBe('inactive');
    expect((await on.run(['sh', '-c', 'command -v hostler'])).exitCode).not.toBe(0);
    expect(await on.must(['ls', '/var/lib/hostler'])).toContain('hostler.sqlite');
  });
});
