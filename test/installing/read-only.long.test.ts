// A machine on which only the data directory is writable, not even temporary files.

import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { PROJECT, runCommand } from '../harness/programs/process.ts';
import { createAdminClient, serverSettings } from '../harness/programs/server-process.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Makes all mounts except one folder read-only in a new mount namespace and runs a command there. */
const READ_ONLY = `set -e
data=$1
shift
mount --make-rprivate /
mount --bind "$data" "$data"
while read -r _id _parent _device _root mount_point _rest; do
  case $mount_point in "$data" | /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) continue ;; esac
  mount -o remount,bind,ro "$mount_point"
done </proc/self/mountinfo
for folder in / /tmp /var/tmp /run /root "$PWD"; do
  if (: >"$folder/hostler-was-here") 2>/dev/null; then echo "$folder can be written"; exit 9; fi
done
: >"$data/can-be-written"
exec "$@"`;

describeOnRealHosts('with only the data directory writable', () => {
  let [data, host, service]: [string, LightHost | undefined, RunningProgram | undefined] = ['', undefined, undefined];
  let client: Client;
  const hostler = (...args: readonly string[]) =>
    runCommand(
      'unshare',
      ['--mount', 'sh', '-c', READ_ONLY, 'sh', data, process.execPath, path.join(PROJECT, 'bin/hostler.js'), ...args],
      serverSettings({ folder: data }, { NODE_COMPILE_CACHE: '' }),
    );

  beforeAll(async () => {
    // A short path, because socket paths are limited. /tmp is read-only inside.
    data = mkdtempSync('/tmp/hostler-ro-');
    host = await startLightHost({ identity: 'debian' });
    service = hostler('serve');
    client = createAdminClient(await service.url());
  }, IMAGE_BUILD_MS);
  afterAll(async () => {
    await service?.kill('SIGTERM');
    await host?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test.each(['ssh', 'openssh'] as const)('a host is enrolled by the transport %s', async transport => {
    const { address = '', port } = host ?? {};
    const { privateKeyBase64 } = await loginKey();
    const body = { ssh_priv_key: privateKeyBase64, ...(port && { ssh_port: port }), transport };
    await client.putHost({ address, body });
    const status = async () => (await client.getHostStatus({ address })).body.host;
    await waitUntil(`${address} is ready`, async () => (await status()).status === 'disassociated', 60_000).catch(
      async error => {
        throw new Error(`${error}\n${JSON.stringify(await status())}\n${service?.stderr}`);
      },
    );
    await client.removeHost({ address });
  });

  test('a backup is written and hostler doctor reports no errors', async () => {
    const backup = hostler('backup', path.join(data, 'saved'));
    expect((await backup.ended).code, backup.stderr).toBe(0);
    const doctor = hostler('doctor', '--listen', new URL((await service?.url()) ?? '').host);
    expect((await doctor.ended).code, doctor.stdout).toBe(0);
  });

  test('the service stops gracefully', async () => {
    expect(await service?.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
