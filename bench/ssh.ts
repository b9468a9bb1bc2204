// npm run bench:ssh — the facts of 200 real hosts, each with an sshd of its own on loopback: by Hostler end to end, by the bare ssh
// library, and by what other people use; all with the same number of connections at once and the same key exchange. And 1,000 hosts
// enrolled in one go.
//
//   npm run bench:ssh              all of it
//   npm run bench:ssh -- --quick   Hostler and the floor only, a few rounds of each

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOsRegistry } from '../src/drivers/os/index.ts';
import { loginKey } from '../test/harness/hosts/login-key.ts';
import { startLightHosts } from '../test/harness/hosts/start-light-host.ts';
import { median } from './median.ts';
import { BenchedHostler } from './ssh/hostler.ts';
import type { SshJob, SshResult } from './ssh/job.ts';
import { measureTool, toolsIn } from './ssh/tools.ts';

const HOSTS = 200;
const MORE_HOSTS = 1000;
const AT_ONCE = 20;
const ROUNDS = 3;
/** Of the floor's time and CPU; how many times faster than `ansible -m setup`; of the event loop's delay. */
const AIMS = { time: 1.2, cpu: 1.4, timesSetup: 8, loopDelayMs: 50 };
const isQuick = process.argv.includes('--quick');

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-ssh-'));
const inside = (name: string) => {
  mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name);
};

/** As a line for a shell: only the floor and the tools need one. */
const [, , script = ''] = createOsRegistry().facts.argv;
const command = `exec sh -c '${script.replaceAll("'", "'\\''")}'`;

function runFloor(job: SshJob): SshResult {
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'ssh/floor.ts')], {
    input: JSON.stringify(job),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`the baseline did not end: ${stderr}`);
  return JSON.parse(stdout);
}

const medianSeconds = (results: readonly SshResult[]) => median(results.map(each => each.seconds));
const medianCpuSeconds = (results: readonly SshResult[]) => median(results.map(each => each.cpuSeconds));

function row(name: string, results: readonly SshResult[], floor: readonly SshResult[]): string {
  const [seconds, cpu] = [medianSeconds(results), medianCpuSeconds(results)];
  const answered = Math.min(...results.map(each => each.answered));
  return [
    name.padEnd(20),
    `${answered}`.padStart(8),
    seconds.toFixed(2).padStart(9),
    (HOSTS / seconds).toFixed(1).padStart(9),
    cpu.toFixed(2).padStart(9),
    (seconds / medianSeconds(floor)).toFixed(2).padStart(9),
    (cpu / medianCpuSeconds(floor)).toFixed(2).padStart(9),
  ].join('');
}

function aim(what: string, figure: number, most: number): void {
  console.log(`${figure <= most ? 'met   ' : 'MISSED'}  ${what}: ${figure.toFixed(2)}`);
}

async function startHosts(number: number): Promise<{ job: SshJob; stop(): Promise<void> }> {
  const begun = performance.now();
  const hosts = await startLightHosts(number, { identity: 'debian' });
  console.log(`${number} hosts up after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return {
    job: { hosts, keyFile: (await loginKey()).file, command, atOnce: AT_ONCE },
    stop: async () => {
      await Promise.all(hosts.map(host => host.stop()));
    },
  };
}

async function compare(): Promise<void> {
  const { job, stop } = await startHosts(HOSTS);
  const plain = { ...job, hosts: job.hosts.map(({ address, port }) => ({ address, port })) };
  const hostler = await BenchedHostler.start(inside('hostler'), plain);
  const enrolled = await hostler.enrolAll();
  console.log(`${HOSTS} hosts enrolled and bootstrapped in ${enrolled.seconds.toFixed(1)} s`);
  const [floor, own, delays]: [SshResult[], SshResult[], number[]] = [[], [], []];
  // In turns, so that both see the same machine.
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(runFloor(plain));
    const { loopDelayP99Ms, ...result } = await hostler.facts();
    own.push(result);
    delays.push(loopDelayP99Ms);
  }
  await hostler.stop();
  console.log('');
  console.log(`facts of ${HOSTS} hosts, ${AT_ONCE} at once, Node ${process.versions.node}`);
  console.log(
    '                    answered        s   hosts/s    CPU s      time       CPU  (to the baseline)',
  );
  console.log(row('ssh2 (baseline)', floor, floor));
  console.log(row('Hostler, end to end', own, floor));
  const others = new Map<string, SshResult>();
  for (const [name, tool] of isQuick ? [] : Object.entries(toolsIn(folder))) {
    const result = await measureTool(tool, plain);
    others.set(name, result);
    console.log(row(name, [result], floor));
  }
  console.log('');
  aim(`time to the floor, at most ${AIMS.time}`, medianSeconds(own) / medianSeconds(floor), AIMS.time);
  aim(`CPU to the floor, at most ${AIMS.cpu}`, medianCpuSeconds(own) / medianCpuSeconds(floor), AIMS.cpu);
  aim(`event loop delay, p99 in ms, at most ${AIMS.loopDelayMs}`, Math.max(...delays), AIMS.loopDelayMs);
  const setup = others.get('ansible -m setup');
  if (setup) {
    const part = medianSeconds(own) / setup.seconds;
    aim(`time to ansible -m setup, at most 1/${AIMS.timesSetup}`, part, 1 / AIMS.timesSetup);
    const fastest = Math.min(...[...others.values()].map(each => each.seconds));
    aim('time to the fastest of the others, less than 1', medianSeconds(own) / fastest, 1);
  }
  await stop();
}

async function enrolMany(): Promise<void> {
  console.log('');
  const { job, stop } = await startHosts(MORE_HOSTS);
  const hostler = await BenchedHostler.start(inside('many'), { ...job, atOnce: 100 });
  const { seconds, peakMib } = await hostler.enrolAll();
  console.log(
    `${MORE_HOSTS} hosts enrolled in one go: ready after ${seconds.toFixed(1)} s, peak memory ${peakMib.toFixed(0)} MiB`,
  );
  await hostler.stop();
  await stop();
}

try {
  await compare();
  if (!isQuick) await enrolMany();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
