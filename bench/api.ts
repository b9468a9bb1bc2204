// npm run bench:api — throughput and latency of the API, compared with a bare server that returns a constant
// of the same size in the same run. 10,000 hosts in 100 clusters; the server logs to a file as in production.
// The client uses one core, the server the other.
//
//     npm run bench:api -- sqlite                          one store only (or postgres)
//     npm run bench:api -- delays                          only the delays of a second client, on SQLite
//     npm run bench:api -- delays getOperation listAudit   only with these requests

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { openPostgres } from '../src/store/postgres/open-postgres.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgres } from '../test/harness/stores/postgres.ts';
import type { Case } from './api/cases.ts';
import { CASES, CONNECTIONS, getCluster, HOSTS } from './api/cases.ts';
import { measureDelays } from './api/delays.ts';
import { createAdminRequest, fillLog, PASSWORD } from './api/requests.ts';
import type { LoadRequest, LoadResult } from './load-generator.ts';
import { load } from './load-generator.ts';
import { median } from './measure.ts';
import { addHosts, clusterNames, toAddress } from './seed-store.ts';
import { ServerProcess } from './server-process.ts';

const MORE_HOSTS = 30_000;
const LOG_ENTRIES = 300_000;
/** Server and baseline alternate, so that other load on the machine affects both. */
const ROUNDS = 5;

const medians = (rounds: readonly LoadResult[]): LoadResult => ({
  perSecond: median(rounds.map(entry => entry.perSecond)),
  p50Ms: median(rounds.map(entry => entry.p50Ms)),
  p99Ms: median(rounds.map(entry => entry.p99Ms)),
});
const show = ({ perSecond, p50Ms, p99Ms }: LoadResult) =>
  `${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50Ms.toFixed(2).padStart(6)} ms  p99 ${p99Ms.toFixed(2).padStart(6)} ms`;

/** The same request for the baseline: the same number of bytes in each direction, without credentials. */
async function toBaselineRequest(
  url: string,
  request: LoadRequest,
): Promise<{ bytes: number; baselineRequest: () => LoadRequest }> {
  const { method, path: urlPath, headers = {}, ...rest } = request;
  const sample = await fetch(url + urlPath, { method, headers: { ...headers }, ...rest });
  const bytes = (await sample.arrayBuffer()).byteLength;
  const body = rest.body && { body: rest.body, headers: { 'content-type': 'application/json' } };
  return { bytes, baselineRequest: () => ({ method, path: `/${bytes}`, ...body }) };
}

async function measure(service: ServerProcess, baseline: ServerProcess, { count, request }: Case) {
  const { bytes, baselineRequest } = await toBaselineRequest(service.url, request(0));
  const [results, baselineResults]: [LoadResult[], LoadResult[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    // Optimizing compilers need tens of thousands of calls.
    const warmUp = round === -1 ? 2 : 1;
    const result = await load(service.url, count * warmUp, CONNECTIONS, request);
    const baselineResult = await load(baseline.url, count * warmUp, CONNECTIONS, baselineRequest);
    if (round === -1) continue;
    results.push(result);
    baselineResults.push(baselineResult);
  }
  return { bytes, results: medians(results), baseline: medians(baselineResults) };
}

async function compare(title: string, service: ServerProcess, baseline: ServerProcess) {
  console.log(`\n${title}`);
  for (const entry of CASES) {
    const { bytes, results, baseline: baselineResult } = await measure(service, baseline, entry);
    const ratio = (results.perSecond / baselineResult.perSecond).toFixed(2);
    const targetText = entry.target && title === 'SQLite' ? ` (aim ${entry.target})` : '';
    console.log(
      `  ${entry.name.padEnd(23)}${show(results)}   baseline ${show(baselineResult)}   ratio ${ratio}${targetText}   ${bytes} bytes`,
    );
  }
}

/**
 * Compares the full list, one request after another, with its minimum cost: reading the rows and formatting
 * them as JSON.
 */
async function compareFullList(service: ServerProcess, file: string) {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare(
    'select address, status, os, cpus, memory_kib as memory, space_kib as space, last_check from hosts order by sort_key',
  );
  const queryMs: number[] = [];
  const listMs: number[] = [];
  await service.loopDelayP99Ms();
  for (let round = 0; round < 60; round += 1) {
    const startedAt = performance.now();
    JSON.stringify(rows.all());
    queryMs.push(performance.now() - startedAt);
    listMs.push((await load(service.url, 1, 1, () => createAdminRequest('GET', '/hosts'))).p50Ms);
  }
  database.close();
  const ratio = median(listMs) / median(queryMs);
  console.log(
    `  the full list takes ${median(listMs).toFixed(1)} ms, reading its rows and JSON.stringify alone takes ${median(queryMs).toFixed(1)} ms: ${ratio.toFixed(2)} times (aim 1.5)`,
  );
  const delayMs = await service.loopDelayP99Ms();
  await load(service.url, 200, CONNECTIONS, () => createAdminRequest('GET', '/hosts'));
  const busyDelayMs = await service.loopDelayP99Ms();
  console.log(
    `  event loop delay: p99 ${delayMs.toFixed(1)} ms (aim 20); while ${CONNECTIONS} clients read full lists: ${busyDelayMs.toFixed(1)} ms`,
  );
}

/** Compares the same requests before and after another cluster has grown. */
async function compareGrowth(service: ServerProcess, store: Store, vacuum = async () => {}) {
  const { count, request } = getCluster;
  const rate = async () => {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push((await load(service.url, count / 2, CONNECTIONS, request)).perSecond);
    return median(rounds);
  };
  const before = await rate();
  await addHosts(store, HOSTS, HOSTS + MORE_HOSTS, ['elsewhere']);
  await vacuum();
  const after = await rate();
  console.log(
    `  GET cluster with ${MORE_HOSTS} more hosts in another cluster: ${(after / before).toFixed(2)} of the rate before`,
  );
}

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-'));
const log = path.join(folder, 'log');
const settings = {
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_ADMIN_PASSWORD: PASSWORD,
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
};
const serve = (store: string, overrides: Readonly<Record<string, string>> = {}) =>
  ServerProcess.start(['bin/hostler.js', 'serve'], { ...settings, HOSTLER_STORE: store, ...overrides }, log);

async function benchSqlite(baseline: ServerProcess) {
  const store = await openSqlite(folder);
  await addHosts(store, 0, HOSTS, clusterNames);
  await store.close();
  const service = await serve('sqlite');
  await compare('SQLite', service, baseline);
  await compareFullList(service, path.join(folder, 'hostler.sqlite'));
  const attached = await openSqlite(folder, { attach: true });
  await compareGrowth(service, attached);
  await attached.close();
  await service.stop();
}

/** Uses its own store because these requests change and remove most records. */
async function benchDelays(names: readonly string[]) {
  const data = mkdtempSync(path.join(folder, 'delays-'));
  const store = await openSqlite(data);
  await addHosts(store, 0, HOSTS, ['big']);
  await store.close();
  // No host is checked during the measurement.
  const service = await serve('sqlite', {
    HOSTLER_DATA: data,
    HOSTLER_CHECK_INTERVAL_S: '86400',
    HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const addresses = Array.from({ length: HOSTS }, (_, index) => toAddress(index));
  const attached = await openSqlite(data, { attach: true });
  await fillLog(attached, LOG_ENTRIES);
  await attached.close();
  try {
    await measureDelays(service.url, { cluster: 'big', addresses }, names);
  } finally {
    await service.stop();
  }
}

async function benchPostgres(baseline: ServerProcess) {
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('\nPostgreSQL is not installed');
    return;
  }
  const store = await openPostgres(postgres.url);
  await addHosts(store, 0, HOSTS, clusterNames);
  const service = await serve(postgres.url);
  await compare('PostgreSQL', service, baseline);
  // PostgreSQL does this automatically some time after that many inserts.
  await compareGrowth(service, store, async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('vacuum analyze hosts');
    await client.end();
  });
  await service.stop();
  await store.close();
  await postgres.stop();
}

console.log(
  `${HOSTS} hosts in ${clusterNames.length} clusters, ${CONNECTIONS} connections, Node ${process.versions.node}; median of ${ROUNDS} rounds`,
);
const [only, ...names] = process.argv.slice(2);
const baseline = await ServerProcess.start(['bench/baseline-server.ts'], {}, log);
try {
  if (only === undefined || only === 'sqlite') await benchSqlite(baseline);
  if (only === undefined || only === 'postgres') await benchPostgres(baseline);
  if (only === undefined || only === 'delays') await benchDelays(names);
} finally {
  await baseline.stop();
  rmSync(folder, { recursive: true, force: true });
}
