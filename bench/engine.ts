// npm run bench:engine — the cost of bootstraps and health checks, with simulated hosts without latency.
//
// 1. Enrols and bootstraps 100, 1,000 and 10,000 hosts and checks them for ten minutes of virtual time.
//    Measures CPU time per host and its growth with the number of hosts (1 is constant).
// 2. Measures an idle engine.
// 3. Bootstraps hosts in real time at 200 steps per second and measures the event loop delay.
//
//     npm run bench:engine              everything
//     npm run bench:engine -- --quick   only the CPU time of 100 and 1,000 hosts

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { toRecordName } from '../src/domain/record-name.ts';
import { systemClock } from '../src/lib/time/clock.ts';
import { createProcedures } from '../src/procedures/index.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import { Simulation } from '../test/harness/simulation/simulation.ts';
import type { SimulationOptions } from '../test/harness/simulation/simulation-options.ts';
import { MINUTE } from '../test/harness/simulation/simulation-options.ts';
import { toAddress } from './seed-store.ts';

const isQuick = process.argv.includes('--quick');
const FLEETS = isQuick ? [100, 1000] : [100, 1000, 10_000];
const CHECKED_MS = 10 * MINUTE;
const ROUNDS = 3;

const STEPS_PER_BOOTSTRAP = createProcedures({ contactTimeoutMs: 0, retryTimeoutMs: 0 }).bootstrap.steps.length;
const STEPS_PER_SECOND = 200;
const SECONDS = 20;
const IDLE_SECONDS = 20;
const TARGET_DELAY_MS = 20;
const MAX_GROWTH = 1.3;
const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;

/** Runs in a temporary folder. */
async function withSimulation<T>(options: SimulationOptions, run: (simulation: Simulation) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-'));
  const simulation = await Simulation.create(clock => openSqlite(folder, { clock }), options);
  try {
    return await run(simulation);
  } finally {
    await simulation.close();
    rmSync(folder, { recursive: true });
  }
}

/** CPU time in microseconds. */
async function measureCpuUs(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const NO_LATENCY = { connectMs: 0, commandMs: 0 };

const bootstrapAndCheck = (hosts: number) =>
  withSimulation({ latencies: NO_LATENCY }, async simulation => {
    await simulation.makeCluster('web');
    await simulation.startServer();
    const request = { cluster: toRecordName('web') };
    const allAreActive = async () =>
      (await simulation.store.reads.clusters.getWithCounts(request.cluster))?.members.active === hosts;
    const bootstrapping = await measureCpuUs(async () => {
      for (let index = 0; index < hosts; index += 1) await simulation.enrolHosts([toAddress(index)], {}, request);
      await simulation.clock.advanceUntil(allAreActive, 60 * MINUTE);
    });
    const commands = simulation.fleet.counters.commands;
    const checking = await measureCpuUs(() => simulation.clock.advance(CHECKED_MS));
    const checks = simulation.fleet.counters.commands - commands;
    return { bootstrapping: bootstrapping / hosts, checking: checking / hosts, checks: checks / hosts };
  });

/** Per host: microseconds of CPU, and the number of checks. */
interface EngineResult {
  readonly bootstrapping: number;
  readonly checking: number;
  readonly checks: number;
}

/** The best of several rounds, because other load on the machine only adds time. */
async function measureBest(hosts: number): Promise<EngineResult> {
  const rounds: EngineResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await bootstrapAndCheck(hosts));
  const smallest = (pick: (figures: EngineResult) => number) => Math.min(...rounds.map(pick));
  const [{ checks } = { checks: 0 }] = rounds;
  return {
    bootstrapping: smallest(result => result.bootstrapping),
    checking: smallest(result => result.checking),
    checks,
  };
}

/** Bootstraps in real time. Returns the event loop delay and the number of steps per second. */
const measureLoopDelay = () =>
  withSimulation({ latencies: { connectMs: 5, commandMs: 5 }, clock: systemClock }, async simulation => {
    await simulation.startServer();
    const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    monitor.enable();
    const hosts = Math.round((STEPS_PER_SECOND / STEPS_PER_BOOTSTRAP) * SECONDS);
    const startedMs = performance.now();
    for (let index = 0; index < hosts; index += 1) {
      await simulation.enrolHosts([toAddress(index)]);
      const dueMs = ((index + 1) * STEPS_PER_BOOTSTRAP * 1000) / STEPS_PER_SECOND;
      await delay(Math.max(0, dueMs - (performance.now() - startedMs)));
    }
    const last = toAddress(hosts - 1);
    while ((await simulation.describeStatus(last)) !== 'disassociated') await delay(10);
    const seconds = (performance.now() - startedMs) / 1000;
    // The delay includes the sampling interval.
    const p99Ms = Math.max(0, monitor.percentile(99) / NS_PER_MS - RESOLUTION_MS);
    return { p99Ms, stepsPerSecond: (hosts * STEPS_PER_BOOTSTRAP) / seconds };
  });

/** The share of a core that an idle engine uses. */
const measureIdleShare = () =>
  withSimulation({ clock: systemClock }, async simulation => {
    await simulation.startServer();
    const usedUs = await measureCpuUs(() => delay(IDLE_SECONDS * 1000));
    return usedUs / (IDLE_SECONDS * 1e6);
  });

console.log(`CPU time per host, best of ${ROUNDS}, on SQLite:`);
console.log('    hosts  bootstrap  10 min checks   checks each');
const figures: EngineResult[] = [];
for (const hosts of FLEETS) {
  const result = await measureBest(hosts);
  figures.push(result);
  const cells = [
    String(hosts).padStart(9),
    `${Math.round(result.bootstrapping)} µs`.padStart(11),
    `${Math.round(result.checking)} µs`.padStart(15),
    result.checks.toFixed(1).padStart(14),
  ];
  console.log(cells.join(''));
}
/**
 * Fixed costs weigh more with few hosts, so a ratio below 1 is not an improvement. A ratio above the target
 * is a failure.
 */
for (const [index, hosts] of FLEETS.slice(0, -1).entries()) {
  const [few, many] = [figures[index], figures.at(-1)];
  if (few === undefined || many === undefined) continue;
  for (const phase of ['bootstrapping', 'checking'] as const) {
    const growth = many[phase] / few[phase];
    if (growth > MAX_GROWTH) process.exitCode = 1;
    console.log(`${FLEETS.at(-1)} against ${hosts} hosts, ${phase}: ${growth.toFixed(2)} times (aim ${MAX_GROWTH})`);
  }
}
if (!isQuick) {
  console.log(`idle, for ${IDLE_SECONDS} s: ${(100 * (await measureIdleShare())).toFixed(2)} % of a core`);
  const { p99Ms, stepsPerSecond } = await measureLoopDelay();
  if (p99Ms > TARGET_DELAY_MS) process.exitCode = 1;
  console.log(
    `event loop delay, p99, at ${stepsPerSecond.toFixed(0)} host steps per second: ${p99Ms.toFixed(1)} ms (aim ${TARGET_DELAY_MS})`,
  );
}
