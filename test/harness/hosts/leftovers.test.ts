import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { PROJECT, runCommand } from '../programs/process.ts';
import { until } from '../until.ts';
import { describeOnRealHosts } from './describe-on-real-hosts.ts';
import { freePort } from './loopback-address.ts';
import { isAlive, ourselves } from './owner.ts';
import { signalAll } from './process-tree.ts';
import { removeLeftovers, runFolder } from './run-folder.ts';

/** A process that has a host, a bridge, and a daemon in a control group, and then does nothing more. */
const HOLDER = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { makeCgroup } from './test/harness/hosts/cgroups.ts';
import { bridgeOf, cgroupOf, runFolder } from './test/harness/hosts/run-folder.ts';
import { runTool } from './test/harness/hosts/run-tool.ts';
import { startLightHost } from './test/harness/hosts/start-light-host.ts';
const { folder, number } = await runFolder();
const host = await startLightHost({ identity: 'debian' });
await runTool(['ip', 'link', 'add', bridgeOf(number), 'type', 'bridge']);
const daemon = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
for (const group of makeCgroup(cgroupOf(number) + '/inner')) writeFileSync(group + '/cgroup.procs', String(daemon.pid));
console.log(['has', host.address, host.port, await host.firstProcess(), daemon.pid, number, folder, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

async function killedHolder() {
  const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {}, PROJECT);
  const [, address = '', port, first, daemon, number, folder = ''] = (
    await holder.says(/has .* ready/)
  ).split(' ');
  expect(await freePort(address, Number(port))).toBeUndefined();
  const things = [folder, `/sys/class/net/hostler${number}`, `/proc/${first}`, `/proc/${daemon}`];
  expect(things.filter(thing => !existsSync(thing))).toEqual([]);
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

describeOnRealHosts('a process that is killed', () => {
  const daemons: number[] = [];
  afterEach(() => signalAll(daemons.splice(0), 'SIGKILL'));

  test('takes its hosts along, and the next removes what they leave', { timeout: 600_000 }, async () => {
    const own = await runFolder();
    const { address, port, first, daemon, number, folder } = await killedHolder();
    daemons.push(daemon);
    await until('its host is gone', () => !existsSync(`/proc/${first}`));
    expect(await freePort(address, port)).toBe(port);

    await removeLeftovers();
    expect([existsSync(folder), existsSync(`/sys/class/net/hostler${number}`)]).toEqual([false, false]);
    await until('the daemon is gone', () => !existsSync(`/proc/${daemon}`));
    expect(existsSync(own.folder)).toBe(true);
  });

  test('counts as gone also while its parent has not asked how it ended', async () => {
    // The shell becomes a program that never asks for the child that it began with. That one ends when it has.
    const script =
      'until read -r name </proc/$$/comm && [ "$name" = sleep ]; do :; done & echo $!; exec sleep 600';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    daemons.push(parent.pid ?? 0);
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    await until('it has ended', () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    const started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? '';
    expect(isAlive({ pid, started })).toBe(false);
  });

  test('is not taken for a later one with the same pid', () => {
    const { pid, started } = ourselves();
    expect([isAlive({ pid, started }), isAlive({ pid, started: '1' })]).toEqual([true, false]);
  });
});
