// npm run bench:ssh — the facts of 200 real hosts, each with its own sshd on loopback: with Hostler, with the bare SSH
// library, and with other tools, all with the same concurrency and key exchange. Then the enrolment of 1,000 hosts.
//
//     npm run bench:ssh              everything
//     npm run bench:ssh -- --quick   only Hostler and the baseline, few rounds

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOsRegistry } from '../src/drivers/os/index.ts';
import { loginKey } from '../test/harness/real-hosts/host-access.ts';
import { startLightHosts } from '../test/harness/real-hosts/light-host.ts';
import { median } from './measure.ts';
import { BenchHostler } from './ssh/bench-hostler.ts';
import type { SshBenchInput, SshBenchResult } from './ssh/bench-input.ts';
import { createTools, measureTool } from './ssh/other-tools.ts';

const HOSTS = 200;
const MORE_HOSTS = 1000;
const CONCURRENCY = 20;
const ROUNDS = 3;
/** Time and CPU relative to the baseline, speedup over `ansible -m setup`, and event loop delay. */
const TARGETS = { time: 1.2, cpu: 1.4, timesSetup: 8, loopDelayMs: 50 };
const isQuick = process.argv.includes('--quick');

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-ssh-'));
const createSubfolder = (name: string) => {
  mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name);
};

/** As a shell command line; only the baseline and the tools need one. */
const [, , script = ''] = createOsRegistry().facts.argv;
const command = `exec sh -c '${script.replaceAll("'", "'\\''")}'`;

function runBaseline(input: SshBenchInput): SshBenchResult {
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'ssh/baseline.ts')], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`the baseline failed: ${stderr}`);
  return JSON.parse(stdout);
}

const medianSeconds = (results: readonly SshBenchResult[]) => median(results.map(result => result.seconds));
const medianCpuSeconds = (results: readonly SshBenchResult[]) => median(results.map(result => result.cpuSeconds));

function formatRow(name: string, results: readonly SshBenchResult[], baseline: readonly SshBenchResult[]): string {
  const [seconds, cpu] = [medianSeconds(results), medianCpuSeconds(results)];
  const succeeded = Math.min(...results.map(result => result.succeeded));
  return [
    name.padEnd(20),
    `${succeeded}`.padStart(8),
    seconds.toFixed(2).padStart(9),
    (HOSTS / seconds).toFixed(1).padStart(9),
    cpu.toFixed(2).padStart(9),
    (seconds / medianSeconds(baseline)).toFixed(2).padStart(9),
    (cpu / medianCpuSeconds(baseline)).toFixed(2).padStart(9),
  ].join('');
}

function printTarget(title: string, value: number, max: number): void {
  console.log(`${value <= max ? 'met   ' : 'MISSED'}  ${title}: ${value.toFixed(2)}`);
}

async function startHosts(count: number): Promise<{ job: SshBenchInput; stop(): Promise<void> }> {
  const startedMs = performance.now();
  const hosts = await startLightHosts(count, { identity: 'debian' });
  console.log(`${count} hosts up after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return {
    job: { hosts, keyFile: (await loginKey()).file, command, concurrency: CONCURRENCY },
    stop: async () => {
      await Promise.all(hosts.map(host => host.stop()));
    },
  };
}

async function compare(): Promise<void> {
  const { job, stop } = await startHosts(HOSTS);
  const input = { ...job, hosts: job.hosts.map(({ address, port }) => ({ address, port })) };
  const hostler = await BenchHostler.start(createSubfolder('hostler'), input);
  const enrolled = await hostler.enrolAll();
  console.log(`${HOSTS} hosts enrolled and bootstrapped in ${enrolled.seconds.toFixed(1)} s`);
  const [baseline, results, delays]: [SshBenchResult[], SshBenchResult[], number[]] = [[], [], []];
  // Alternates, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    baseline.push(runBaseline(input));
    const { loopDelayP99Ms, ...result } = await hostler.gatherFacts();
    results.push(result);
    delays.push(loopDelayP99Ms);
  }
  await hostler.stop();
  console.log('');
  console.log(`facts of ${HOSTS} hosts, ${CONCURRENCY} at once, Node ${process.versions.node}`);
  console.log('                    answered        s   hosts/s    CPU s      time       CPU  (to the baseline)');
  console.log(formatRow('ssh2 (baseline)', baseline, baseline));
  console.log(formatRow('Hostler, end to end', results, baseline));
  const others = new Map<string, SshBenchResult>();
  for (const [name, tool] of isQuick ? [] : Object.entries(createTools(folder))) {
    const result = await measureTool(tool, input);
    others.set(name, result);
    console.log(formatRow(name, [result], baseline));
  }
  console.log('');
  printTarget(
    `time relative to the baseline, at most ${TARGETS.time}`,
    medianSeconds(results) / medianSeconds(baseline),
    TARGETS.time,
  );
  printTarget(
    `CPU relative to the baseline, at most ${TARGETS.cpu}`,
    medianCpuSeconds(results) / medianCpuSeconds(baseline),
    TARGETS.cpu,
  );
  printTarget(`event loop delay, p99 in ms, at most ${TARGETS.loopDelayMs}`, Math.max(...delays), TARGETS.loopDelayMs);
  const setup = others.get('ansible -m setup');
  if (setup) {
    const ratio = medianSeconds(results) / setup.seconds;
    printTarget(`time relative to ansible -m setup, at most 1/${TARGETS.timesSetup}`, ratio, 1 / TARGETS.timesSetup);
    const fastest = Math.min(...[...others.values()].map(result => result.seconds));
    printTarget('time relative to the fastest other tool, less than 1', medianSeconds(results) / fastest, 1);
  }
  await stop();
}

async function enrolMany(): Promise<void> {
  console.log('');
  const { job, stop } = await startHosts(MORE_HOSTS);
  const hostler = await BenchHostler.start(createSubfolder('many'), { ...job, concurrency: 100 });
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
