// npm run bench:operations — the duration of a restart of a complete cluster.
//
// 1. Simulated hosts without latency on both stores: durable host steps per second, time and memory per fleet
//    size, and the growth of the time per host (1 is constant).
// 2. Fifty real hosts, ten at a time, with a fixed boot time: with Hostler, with an Ansible play with
//    `serial` and the module `reboot`, and the baseline: the boot times alone.
//
//     npm run bench:operations              everything
//     npm run bench:operations -- --quick   fewer and smaller runs
//     npm run bench:operations -- sqlite    one part only (or postgres, hosts)

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TimerClock } from '../src/lib/time/clock.ts';
import { openPostgres } from '../src/store/postgres/open-postgres.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { loginKey } from '../test/harness/real-hosts/host-access.ts';
import { startLightHosts } from '../test/harness/real-hosts/light-host.ts';
import { startPostgres } from '../test/harness/stores/postgres.ts';
import { restartByAnsible, restartByHostler } from './operations-real-hosts.ts';
import type { SimulatedRun } from './operations-simulated-hosts.ts';
import { restartSimulated } from './operations-simulated-hosts.ts';

const isQuick = process.argv.includes('--quick');
const FLEETS = isQuick ? [100, 1000] : [100, 1000, 10_000];
const MAX_GROWTH = 1.3;
const [HOSTS, MAX_UNAVAILABLE] = isQuick ? [20, 10] : [50, 10];
const BOOT_MS = 5000;

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-operations-'));
const createSubfolder = (name: string) => {
  mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name);
};

function formatRow({ hosts, stepsPerSecond, msPerHost, heapMib, seconds }: SimulatedRun): string {
  return [
    String(hosts).padStart(8),
    seconds.toFixed(1).padStart(10),
    stepsPerSecond.toFixed(0).padStart(12),
    `${msPerHost.toFixed(2)} ms`.padStart(14),
    `${heapMib.toFixed(0)} MiB`.padStart(11),
  ].join('');
}

async function benchStore(name: string, open: (hosts: number) => (clock: TimerClock) => Promise<Store>) {
  console.log(`\n${name}, a restart of simulated hosts, 100 at a time:`);
  console.log('   hosts   seconds     steps/s    each host       heap');
  const runs: SimulatedRun[] = [];
  for (const hosts of FLEETS) {
    const run = await restartSimulated(open(hosts), hosts);
    runs.push(run);
    console.log(formatRow(run));
  }
  const [few, many] = [runs[0], runs.at(-1)];
  if (!few || !many) return;
  const growth = many.msPerHost / few.msPerHost;
  if (growth > MAX_GROWTH) process.exitCode = 1;
  console.log(`${many.hosts} against ${few.hosts} hosts: ${growth.toFixed(2)} times (aim ${MAX_GROWTH})`);
}

async function benchPostgres() {
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('PostgreSQL is not installed.');
    return;
  }
  try {
    const toDatabaseUrl = (hosts: number) => {
      const url = new URL(postgres.url);
      url.pathname = `/fleet_${hosts}`;
      return url.href;
    };
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    for (const hosts of FLEETS) await admin.query(`create database fleet_${hosts}`);
    await admin.end();
    await benchStore('PostgreSQL', hosts => clock => openPostgres(toDatabaseUrl(hosts), { clock }));
  } finally {
    await postgres.stop();
  }
}

async function benchRealHosts() {
  console.log(`\n${HOSTS} real hosts, ${MAX_UNAVAILABLE} at a time, ${BOOT_MS / 1000} s to boot:`);
  const hosts = await startLightHosts(HOSTS, { identity: 'debian' });
  try {
    for (const { hostProcess } of hosts) hostProcess.rebootDurationMs = BOOT_MS;
    const { file: keyFile } = await loginKey();
    const fleet = { hosts, keyFile, maxUnavailable: MAX_UNAVAILABLE };
    const baseline = ((HOSTS / MAX_UNAVAILABLE) * BOOT_MS) / 1000;
    const hostler = await restartByHostler({ ...fleet, folder: createSubfolder('hostler') });
    const ansible = await restartByAnsible({ ...fleet, folder: createSubfolder('ansible') });
    const line = (name: string, seconds: number) =>
      console.log(
        `${name.padEnd(22)}${seconds.toFixed(1).padStart(8)} s ${(seconds / baseline).toFixed(2).padStart(8)} times the baseline`,
      );
    line('baseline: boots only', baseline);
    line('Hostler', hostler);
    line('Ansible, serial', ansible);
    console.log(`Hostler takes ${(hostler / ansible).toFixed(2)} of the time of Ansible`);
  } finally {
    for (const host of hosts) await host.stop();
  }
}

const BENCHES = {
  sqlite: () => benchStore('SQLite', hosts => clock => openSqlite(createSubfolder(`sqlite-${hosts}`), { clock })),
  postgres: benchPostgres,
  hosts: benchRealHosts,
};

const selected = process.argv.slice(2).filter(argument => Object.hasOwn(BENCHES, argument));
try {
  for (const [name, bench] of Object.entries(BENCHES))
    if (selected.length === 0 || selected.includes(name)) await bench();
} finally {
  rmSync(folder, { recursive: true });
}
