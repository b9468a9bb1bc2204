// During logins to real hosts, the private key is only in the memory of the service: not in a process list,
// environment, file or log, and not on the host.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { errorCode } from '../../src/lib/errors.ts';
import { findProcesses, listPids } from '../harness/programs/proc-files.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import { extractOpenSshSeed, secretPatterns } from '../harness/secret-patterns.ts';
import { MIN_PAUSE_MS, waitUntil } from '../harness/wait-until.ts';

/** The result, or nothing if the file or folder has disappeared. */
function ifPresent<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Contents of all regular files below a folder. Files can disappear during the scan. */
function filesIn(folder: string): readonly Buffer[] {
  return ifPresent(() => readdirSync(folder, { withFileTypes: true })).flatMap(entry => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(file);
    return entry.isFile() ? ifPresent(() => [readFileSync(file)]) : [];
  });
}

describeOnRealHosts('the private key of real hosts', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-secrets-'));
  let hosts: LightHost[] = [];
  beforeAll(async () => {
    hosts = await startLightHosts(2, { identity: 'debian' });
  }, IMAGE_BUILD_MS);
  afterAll(async () => {
    await Promise.all(hosts.map(host => host.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['ssh', 'openssh'])('does not leak while %s logs in', async transport => {
    const [data, temp] = ['data', 'tmp'].map(name => path.join(folder, `${transport}-${name}`));
    if (data === undefined || temp === undefined) throw new Error('no folder');
    mkdirSync(temp);
    // They cannot contain the key of this test.
    const olderPids = new Set(listPids());
    const overrides = {
      HOSTLER_LOG_LEVEL: 'trace',
      HOSTLER_TRANSPORT: transport,
      HOSTLER_CHECK_INTERVAL_S: '5',
      TMPDIR: temp,
    };
    const server = await ServerProcess.start({ settings: serverSettings({ folder: data }, overrides) });
    onTestFinished(() => server.stop());
    const { program, client } = server;
    const { privateKeyBase64, publicKey } = await loginKey();
    const seed = extractOpenSshSeed(Buffer.from(privateKeyBase64, 'base64').toString(), publicKey);
    const needles = secretPatterns('private key', seed);
    const containsKey = (bytes: Buffer) => needles.some(needle => bytes.includes(needle.bytes));
    for (const { address, port } of hosts)
      await client.putHost({ address, body: { ssh_priv_key: privateKeyBase64, ssh_port: port } });
    const [findings, masters] = [new Set<boolean>(), new Set<number>()];
    const scan = () => {
      for (const { pid, commandLine, environment } of findProcesses('', olderPids)) {
        if (commandLine.startsWith('ssh\0') && commandLine.includes(temp)) masters.add(pid);
        findings.add(containsKey(Buffer.from(`${commandLine}${environment}`, 'latin1')));
      }
      for (const bytes of filesIn(temp)) findings.add(containsKey(bytes));
    };
    const logins = hosts.map(host => host.logins());
    const haveLoggedIn = () => hosts.every((host, index) => host.logins() >= (logins[index] ?? 0) + 2);
    const scanUntilLoggedIn = () => {
      scan();
      return haveLoggedIn();
    };
    await waitUntil('several logins to each', scanUntilLoggedIn, undefined, MIN_PAUSE_MS);
    expect([...findings]).toEqual([false]);
    expect(masters.size > 0).toBe(transport === 'openssh');
    await program.kill('SIGTERM');
    expect(filesIn(data).some(containsKey)).toBe(false);
    expect(containsKey(Buffer.from(program.stdout + program.stderr, 'latin1'))).toBe(false);
    expect(filesIn(temp)).toEqual([]);
    for (const host of hosts) {
      const hostFiles = await host.runChecked([
        'sh',
        '-c',
        'cat /var/log/sshd.log; find /tmp /run /root -type f | xargs cat',
      ]);
      expect(containsKey(Buffer.from(hostFiles, 'latin1'))).toBe(false);
    }
  });
});
