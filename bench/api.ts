// npm run bench:api — what the interface costs, beside a bare server that answers a constant of the same size, in the same run.
// 10,000 hosts in 100 clusters; the service logs as in production, into a file. The client takes one core, the server the other.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Address } from '../src/domain/address.ts';
import { newHost } from '../src/domain/host.ts';
import { recordNameOf } from '../src/domain/record-name.ts';
import { openPostgres } from '../src/store/postgres/open-postgres.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import type { Figures, Shot } from './load.ts';
import { load } from './load.ts';

const HOSTS = 10_000;
const CLUSTERS = 100;
const CONNECTIONS = 32;

const addressOf = (index: number) =>
  `127.${Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`;
const clusterOf = (index: number) => `cluster-${index % CLUSTERS}`;

async function fill(store: Store) {
  const addresses = Array.from({ length: HOSTS }, (_, index) => addressOf(index) as Address);
  await store.transaction(async records => {
    await records.driverRecords.insertOrLock('network', {
      name: recordNameOf('default'),
      type: 'none',
      options: {},
      sealedOptions: {},
      revision: 'r',
    });
    for (const name of Array.from({ length: CLUSTERS }, (_, index) => clusterOf(index)).sort()) {
      await records.clusters.insertOrLock({
        name: recordNameOf(name),
        network: recordNameOf('default'),
        containerManager: null,
        revision: 'r',
      });
    }
    for (const [index, address] of addresses.entries()) {
      const host = newHost(address, { enrolment: 'e', cluster: recordNameOf(clusterOf(index)) });
      await records.hosts.insertOrLock({
        ...host,
        status: 'active',
        os: 'debian',
        cpus: 8,
        memoryKib: 32_768_000,
        spaceKib: 2 ** 30,
      });
    }
  });
  await store.close();
}

/** Starts a program of ours and answers the address that it prints. */
async function start(
  args: readonly string[],
  env: Record<string, string>,
  log: string,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  });
  let output = '';
  for await (const text of child.stdout ?? []) {
    output += text;
    const url = /http:\/\/[\d.:]+\d/.exec(output)?.[0];
    if (url) return { child, url };
  }
  throw new Error(`it did not start: ${output}`);
}

interface Case {
  readonly name: string;
  readonly count: number;
  readonly shot: (index: number) => Shot;
}

const authorization = `Basic ${Buffer.from('admin:bench').toString('base64')}`;
const get = (to: string): Shot => ({ method: 'GET', path: `/api/v0${to}`, headers: { authorization } });
const put = (to: string, body: string): Shot => ({
  method: 'PUT',
  path: `/api/v0${to}`,
  headers: { authorization, 'content-type': 'application/json' },
  body,
});
const network = JSON.stringify({ type: 'none', options: {} });

const CASES: readonly Case[] = [
  { name: 'GET host', count: 20_000, shot: index => get(`/host/${addressOf((index * 37) % HOSTS)}`) },
  { name: 'GET cluster', count: 20_000, shot: index => get(`/cluster/${clusterOf(index)}`) },
  {
    name: 'GET hosts, page of 100',
    count: 3000,
    shot: index => get(`/hosts?limit=100&after=${addressOf((index * 37) % HOSTS)}`),
  },
  { name: 'GET hosts, all', count: 60, shot: () => get('/hosts') },
  {
    name: 'PUT network',
    count: 4000,
    shot: index => put(`/network/bench-${index}-${process.hrtime.bigint()}`, network),
  },
];

const show = ({ perSecond, p50Ms, p99Ms }: Figures) =>
  `${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50Ms.toFixed(2).padStart(7)} ms  p99 ${p99Ms.toFixed(2).padStart(7)} ms`;

async function compare(what: string, url: string, floorUrl: string) {
  console.log(`\n${what}`);
  for (const { name, count, shot } of CASES) {
    const { method, path: to, headers = {}, ...rest } = shot(0);
    const sample = await fetch(url + to, { method, headers, ...rest });
    const bytes = (await sample.arrayBuffer()).byteLength;
    await load(url, Math.ceil(count / 5), CONNECTIONS, index => shot(count + index));
    const ours = await load(url, count, CONNECTIONS, shot);
    const floorShot = (): Shot => ({
      method,
      path: `/${bytes}`,
      ...(rest.body && { body: rest.body, headers: { 'content-type': 'application/json' } }),
    });
    await load(floorUrl, Math.ceil(count / 5), CONNECTIONS, floorShot);
    const floor = await load(floorUrl, count, CONNECTIONS, floorShot);
    const ratio = (ours.perSecond / floor.perSecond).toFixed(2);
    console.log(
      `  ${name.padEnd(24)} ${show(ours)}   floor ${show(floor)}   ratio ${ratio}   ${bytes} bytes`,
    );
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-'));
const log = path.join(folder, 'log');
const settings = {
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_ADMIN_PASSWORD: 'bench',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
};
const serve = (store: string) =>
  start(['bin/hostler.js', 'serve'], { ...settings, HOSTLER_STORE: store }, log);

console.log(
  `${HOSTS} hosts in ${CLUSTERS} clusters, ${CONNECTIONS} connections, Node ${process.versions.node}`,
);
const floor = await start(['bench/floor.ts'], {}, log);
await fill(await openSqlite(folder));
const sqlite = await serve('sqlite');
await compare('SQLite', sqlite.url, floor.url);
sqlite.child.kill('SIGTERM');

const postgres = await startPostgres();
if (postgres) {
  await fill(await openPostgres(postgres.url));
  const service = await serve(postgres.url);
  await compare('PostgreSQL', service.url, floor.url);
  service.child.kill('SIGTERM');
  await new Promise(resolve => service.child.once('exit', resolve));
  await postgres.stop();
} else console.log('\nPostgreSQL is not installed here');

floor.child.kill('SIGTERM');
rmSync(folder, { recursive: true, force: true });
