import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { isPortFree } from '../http/sockets.ts';
import { currentProcess, isAlive, signalAll } from '../programs/proc-files.ts';
import { PROJECT, runCommand } from '../programs/process.ts';
import { waitUntil } from '../wait-until.ts';
import { describeOnRealHosts } from './describe-on-real-hosts.ts';
import { removeLeftovers, runFolder } from './run-folder.ts';

/** Starts a host, a bridge and a daemon in a cgroup, and keeps running. */
const HOLDER = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { makeCgroup } from './test/harness/real-hosts/cgroups.ts';
import { cgroupName, runFolder } from './test/harness/real-hosts/run-folder.ts';
import { runTool } from './test/harness/programs/run-tool.ts';
import { startLightHost } from './test/harness/real-hosts/light-host.ts';
const { folder, number } = await runFolder();
const host = await startLightHost({ identity: 'debian' });
await runTool(['ip', 'link', 'add', 'hostler' + number, 'type', 'bridge']);
const daemon = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
for (const group of makeCgroup(cgroupName(number) + '/inner')) writeFileSync(group + '/cgroup.procs', String(daemon.pid));
console.log(['has', host.address, host.port, await host.firstProcess(), daemon.pid, number, folder, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

async function killHolder() {
  const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {}, PROJECT);
  const [, address = '', port, first, daemon, number, folder = ''] = (await holder.waitForOutput(/has .* ready/)).split(
    ' ',
  );
  expect(await isPortFree(address, Number(port))).toBe(false);
  const resources = [folder, `/sys/class/net/hostler${number}`, `/proc/${first}`, `/proc/${daemon}`];
  expect(resources.filter(resource => !existsSync(resource))).toEqual([]);
  await holder.kill('SIGKILL');
  return {
    address,
    port: Number(port),
    first: Number(first),
    daemon: Number(daemon),
    number: Number(number),
    folder,
  };
}

describeOnRealHosts('cleanup of hosts after a killed process', () => {
  const daemons: number[] = [];
  afterEach(() => signalAll(daemons.splice(0), 'SIGKILL'));

  test('hosts end with the process, and the next process removes their files', {
    timeout: 600_000,
  }, async () => {
    const ownRun = await runFolder();
    const { address, port, first, daemon, number, folder } = await killHolder();
    daemons.push(daemon);
    await waitUntil('its host is gone', () => !existsSync(`/proc/${first}`));
    expect(await isPortFree(address, port)).toBe(true);

    await removeLeftovers();
    expect([existsSync(folder), existsSync(`/sys/class/net/hostler${number}`)]).toEqual([false, false]);
    await waitUntil('the daemon is gone', () => !existsSync(`/proc/${daemon}`));
    expect(existsSync(ownRun.folder)).toBe(true);
  });

  test('isAlive is false for a zombie process', async () => {
    // The shell becomes `sleep`, which never waits for its child. The child ends when it sees the new name.
    const script = 'until read -r name </proc/$$/comm && [ "$name" = sleep ]; do :; done & echo $!; exec sleep 600';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    daemons.push(parent.pid ?? 0);
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    await waitUntil('the process has ended', () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    const started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? '';
    expect(isAlive({ pid, started })).toBe(false);
  });

  test('isAlive is false for another process with the same PID', () => {
    const { pid, started } = currentProcess();
    expect([isAlive({ pid, started }), isAlive({ pid, started: '1' })]).toEqual([true, false]);
  });
});
