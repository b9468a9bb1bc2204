// While real hosts are logged in to, the private key is nowhere but in the memory of the service: in no list of processes, no
// environment, no file, no line of the log, and not on the host.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/sdk/client.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startLightHosts } from '../harness/hosts/start-light-host.ts';
import { needlesOf, seedOfOpenSsh } from '../harness/needles.ts';
import { runHostler } from '../harness/programs/process.ts';
import { processesNaming } from '../harness/programs/processes-naming.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const PASSWORD = 'correct horse';

/** All regular files below a folder; one may go while we look. */
function filesIn(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => {
    try {
      return entry.isFile() ? [readFileSync(path.join(entry.parentPath, entry.name))] : [];
    } catch {
      return [];
    }
  });
}

describeOnRealHosts('the private key of real hosts', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-seen-'));
  let hosts: LightHost[] = [];
  beforeAll(async () => {
    hosts = await startLightHosts(2, { identity: 'debian' });
  }, FIRST_BUILD_MS);
  afterAll(async () => {
    await Promise.all(hosts.map(host => host.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['ssh', 'openssh'])('is seen nowhere while %s logs in', async transport => {
    const [data, temp] = ['data', 'tmp'].map(name => path.join(folder, `${transport}-${name}`));
    if (data === undefined || temp === undefined) throw new Error('no folder');
    mkdirSync(temp);
    const program = runHostler(['serve'], {
      HOSTLER_DATA: data,
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_ADMIN_PASSWORD: PASSWORD,
      HOSTLER_LOG_LEVEL: 'trace',
      HOSTLER_TRANSPORT: transport,
      HOSTLER_CHECK_INTERVAL_S: '5',
      TMPDIR: temp,
    });
    onTestFinished(async () => {
      await program.kill('SIGKILL');
    });
    const client = createClient({ baseUrl: await program.url(), user: 'admin', password: PASSWORD });
    const { privateKeyBase64, publicKey } = await loginKey();
    const seed = seedOfOpenSsh(Buffer.from(privateKeyBase64, 'base64').toString(), publicKey);
    const needles = needlesOf('private key', seed);
    const isSeen = (bytes: Buffer) => needles.some(needle => bytes.includes(needle.bytes));
    for (const { address, port } of hosts)
      await client.putHost({ address, body: { ssh_priv_key: privateKeyBase64, ssh_port: port } });
    const [looked, masters] = [new Set<boolean>(), new Set<number>()];
    const look = () => {
      for (const { pid, commandLine, environment } of processesNaming('')) {
        if (commandLine.startsWith('ssh\0') && commandLine.includes(temp)) masters.add(pid);
        looked.add(isSeen(Buffer.from(`${commandLine}${environment}`, 'latin1')));
      }
      for (const bytes of filesIn(temp)) looked.add(isSeen(bytes));
    };
    const logins = hosts.map(host => host.logins());
    await until('several logins to each', () => {
      look();
      return hosts.every((host, index) => host.logins() >= (logins[index] ?? 0) + 2);
    });
    expect([...looked]).toEqual([false]);
    expect(masters.size > 0).toBe(transport === 'openssh');
    await program.kill('SIGTERM');
    expect(filesIn(data).some(isSeen)).toBe(false);
    expect(isSeen(Buffer.from(program.stdout + program.stderr, 'latin1'))).toBe(false);
    expect(filesIn(temp)).toEqual([]);
    for (const host of hosts) {
      const said = await host.must([
        'sh',
        '-c',
        'cat /var/log/sshd.log; find /tmp /run /root -type f | xargs cat',
      ]);
      expect(isSeen(Buffer.from(said, 'latin1'))).toBe(false);
    }
  });
});
