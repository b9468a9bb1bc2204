// npm run bench:scale — the cost of one, two and three servers on one PostgreSQL, by process.
// docs/admin/capacity-planning.md uses the results.
//
// The servers are separate processes, the database is on disk with fsync, and this process simulates the hosts, so that
// servers and database are measured and not SSH. The cost of the connection to the simulated hosts is measured
// separately as the baseline. All processes share a few cores, so CPU seconds are compared and not elapsed time.
//
//     npm run bench:scale              everything
//     npm run bench:scale -- --quick   fewer hosts, shorter
//     npm run bench:scale -- checks    one part only (or restarts, idle)

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { readCpuSeconds } from './measure.ts';
import { BenchEnvironment } from './scale/bench-environment.ts';
import { formatHeading, formatRowsByTable, formatRun, measureSizes, splitFixedCost } from './scale/report.ts';
import { serveFleet } from './scale/simulated-hosts.ts';
import type { Run } from './scale/workloads.ts';
import {
  bootstrapHosts,
  copyRemainingHosts,
  LONG_INTERVAL_S,
  runChecks,
  runIdle,
  runRestarts,
} from './scale/workloads.ts';

const isQuick = process.argv.includes('--quick');
const SERVERS = [1, 2, 3];
const FLEET = isQuick
  ? { hosts: 1000, bootstrapped: 100, restarted: 100, clusters: 4 }
  : { hosts: 4000, bootstrapped: 300, restarted: 400, clusters: 4 };
/** Per restarted cluster. */
const MAX_UNAVAILABLE = 100;
/** A check interval that the servers meet easily, and one that they cannot meet here. */
const CHECK_INTERVALS_S = isQuick ? [10, 5] : [20, 5];
const CHECK_S = isQuick ? 10 : 20;
const IDLE_S = isQuick ? 5 : 10;
const BASELINE_CHECKS = 10_000;

const IDLE = 'idle seconds';

/** The cost of a check of a simulated host that the benchmark itself causes. */
async function measureBaseline({ fleet }: BenchEnvironment): Promise<void> {
  const args = [String(FLEET.hosts), String(BASELINE_CHECKS)];
  const client = fork(path.join(import.meta.dirname, 'scale/baseline-client.ts'), args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  serveFleet(fleet, client);
  const before = readCpuSeconds('self', 'own');
  let seconds = '';
  for await (const text of client.stdout ?? []) seconds += text;
  const perThousand = 1000 / BASELINE_CHECKS;
  const [clientSeconds, fleetSeconds] = [Number(seconds), readCpuSeconds('self', 'own') - before];
  console.log(
    `baseline, CPU seconds for 1,000 checks of simulated hosts: ${(clientSeconds * perThousand).toFixed(2)} in a server, ${(fleetSeconds * perThousand).toFixed(2)} in the fleet`,
  );
}

/** Repeats a run with one, two and three servers. */
async function runWithServerCounts(
  { environment, title, checkIntervalS }: { environment: BenchEnvironment; title: string; checkIntervalS: number },
  run: () => Promise<Run>,
): Promise<readonly Run[]> {
  console.log(formatHeading(title));
  const runs: Run[] = [];
  for (const count of SERVERS) {
    await environment.db.query('vacuum analyze');
    const result = await environment.withServers(count, checkIntervalS, run);
    runs.push(result);
    console.log(formatRun(result));
    // The statistics of PostgreSQL are some seconds late, so an idle run would include writes of the previous run.
    if (count === SERVERS.at(-1) && title !== IDLE) console.log(formatRowsByTable(result));
  }
  return runs;
}

const benchRestarts = (environment: BenchEnvironment) =>
  runWithServerCounts({ environment, title: 'steps of restarts', checkIntervalS: LONG_INTERVAL_S }, () =>
    runRestarts(environment, FLEET, MAX_UNAVAILABLE),
  );

async function benchChecks(environment: BenchEnvironment): Promise<void> {
  const runs: (readonly Run[])[] = [];
  for (const checkIntervalS of CHECK_INTERVALS_S)
    runs.push(
      await runWithServerCounts(
        { environment, title: `checks, each host every ${checkIntervalS} s`, checkIntervalS },
        () => runChecks(environment, checkIntervalS, CHECK_S),
      ),
    );
  const [few, many] = runs;
  console.log('');
  for (const [index, count] of SERVERS.entries()) {
    const [slow, fast] = [few?.[index], many?.[index]];
    if (slow && fast) console.log(`${count}, health checks: ${splitFixedCost(slow, fast)}`);
  }
}

const benchIdle = (environment: BenchEnvironment) =>
  runWithServerCounts({ environment, title: IDLE, checkIntervalS: LONG_INTERVAL_S }, () =>
    runIdle(environment, IDLE_S),
  );

const BENCHES = { restarts: benchRestarts, checks: benchChecks, idle: benchIdle };

async function bench(environment: BenchEnvironment): Promise<void> {
  console.log(formatHeading('hosts bootstrapped'));
  const bootstrapRun = await environment.withServers(1, LONG_INTERVAL_S, () => bootstrapHosts(environment, FLEET));
  console.log(formatRun(bootstrapRun));
  console.log(formatRowsByTable(bootstrapRun));
  await copyRemainingHosts(environment, FLEET);
  await measureBaseline(environment);
  const selected = process.argv.slice(2).filter(argument => Object.hasOwn(BENCHES, argument));
  for (const [name, benchPart] of Object.entries(BENCHES))
    if (selected.length === 0 || selected.includes(name)) await benchPart(environment);
  for (const text of await measureSizes(environment)) console.log(text);
}

// A process that a signal kills would leave its servers and its database behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-scale-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const environment = await BenchEnvironment.open(folder);
if (environment === undefined) throw new Error('PostgreSQL is not installed.');
console.log(`${FLEET.hosts} simulated hosts; servers, database and fleet share ${availableParallelism()} cores`);
try {
  await bench(environment);
} finally {
  await environment.close();
}
