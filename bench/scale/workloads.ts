// What servers are given to do: hosts to bring in, hosts to restart, hosts to watch, and nothing.

import { setTimeout as delay } from 'node:timers/promises';
import { generateKeyPair } from '../../src/drivers/transport/ssh/ssh-keys.ts';
import { until } from '../../test/harness/until.ts';
import { addressOf } from '../fleet.ts';
import { copyHosts } from './copy-hosts.ts';
import type { Reading } from './meter.ts';
import type { Site } from './site.ts';

/** Checks that nobody is to be disturbed by are this far apart. */
export const SELDOM_S = 86_400;
const DEADLINE_MS = 900_000;
const QUIET_MS = 2000;
const ENROLLERS = 8;
/** Preflight, arm, send, come back, verify: each is saved before the next begins. */
const STEPS_PER_HOST = 5;

/** How much was done, and what it took. */
export interface Run {
  readonly done: number;
  readonly used: Reading;
  readonly memoryMib: readonly number[];
}

export interface Fleet {
  readonly hosts: number;
  /** Of these, as many are enrolled over HTTP; the others are copied from the first. */
  readonly broughtIn: number;
  /** Of these, spread over so many clusters, as many are restarted. */
  readonly restarted: number;
  readonly clusters: number;
}

const clusterOf = (index: number, { restarted, clusters }: Fleet) =>
  index < restarted ? `ring-${index % clusters}` : 'rest';

const memories = ({ servers }: Site) => servers.map(server => server.memoryMib);

async function measured(site: Site, work: () => Promise<number>): Promise<Run> {
  let done = 0;
  const used = await site.measure(async () => {
    done = await work();
  });
  return { done, used, memoryMib: memories(site) };
}

/** Until nothing has been asked of any host for a while. */
async function quiet({ fleet: { counters } }: Site): Promise<void> {
  let [seen, since] = [counters.commands, performance.now()];
  await until(
    'hosts are left alone',
    () => {
      if (counters.commands !== seen) [seen, since] = [counters.commands, performance.now()];
      return performance.now() - since > QUIET_MS;
    },
    DEADLINE_MS,
  );
}

/** Enrols the first hosts over HTTP; they are bootstrapped meanwhile. */
export function bringIn(site: Site, fleet: Fleet): Promise<Run> {
  const { hosts, broughtIn, clusters } = fleet;
  const key = Buffer.from(generateKeyPair('bench').privateKey.reveal()).toString('base64');
  for (let index = 0; index < hosts; index += 1) site.fleet.add(addressOf(index), { os: 'debian' });
  return measured(site, async () => {
    const names = [...Array.from({ length: clusters }, (_, index) => `ring-${index}`), 'rest'];
    for (const name of names) await site.client.putCluster({ name, body: { network: 'default' } });
    let next = 0;
    const enrol = async () => {
      const { client } = site;
      while (next < broughtIn) {
        const index = next;
        next += 1;
        const body = { ssh_priv_key: key, cluster: clusterOf(index, fleet) };
        await client.putHost({ address: addressOf(index), body });
      }
    };
    await Promise.all(Array.from({ length: ENROLLERS }, enrol));
    const active = `select count(*) from hosts where status = 'active'`;
    await until('they are active', async () => (await site.number(active)) === broughtIn, DEADLINE_MS);
    return broughtIn;
  });
}

export async function copyOthers(site: Site, fleet: Fleet): Promise<void> {
  const indices = new Map(
    Array.from({ length: fleet.hosts }, (_, index) => [addressOf(index), index] as const).slice(
      fleet.broughtIn,
    ),
  );
  await copyHosts(site, {
    model: addressOf(0),
    addresses: [...indices.keys()],
    clusterOf: address => clusterOf(indices.get(address) ?? 0, fleet),
  });
}

export async function idle(site: Site, seconds: number): Promise<Run> {
  await quiet(site);
  return measured(site, async () => {
    await delay(seconds * 1000);
    return seconds;
  });
}

/** A restart of each ring, all at the same time; counted in steps. */
export async function restart(site: Site, { restarted, clusters }: Fleet, atOnce: number): Promise<Run> {
  await quiet(site);
  return measured(site, async () => {
    const { client } = site;
    const policy = { max_unavailable: atOnce, stage_parallel: atOnce, min_healthy_s: 0 };
    const ids: string[] = [];
    for (let ring = 0; ring < clusters; ring += 1) {
      const { headers } = await client.putRestart({ name: `ring-${ring}`, body: { policy } });
      ids.push(headers.get('location')?.split('/').at(-1) ?? '');
    }
    const open = 'select count(*) from operations where is_open = 1';
    await until('all restarts are over', async () => (await site.number(open)) === 0, DEADLINE_MS);
    const { rows } = await site.db.query(
      `select count(*)::int as count from operation_hosts where phase = 'done' and operation = any($1)`,
      [ids],
    );
    if (rows[0]?.count !== restarted) throw new Error(`${rows[0]?.count} of ${restarted} hosts are done`);
    return restarted * STEPS_PER_HOST;
  });
}

/** Checks at the pace that the servers were started with; counted in hosts looked at. */
export async function watch(site: Site, intervalS: number, seconds: number): Promise<Run> {
  const now = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  await site.db.query(
    `update host_queue set check_due_at = ${now} + (random() * 1000 * ${intervalS})::bigint`,
  );
  await site.client.bootstrapHost({ address: addressOf(0), body: {} });
  const { counters } = site.fleet;
  const first = counters.connectAttempts;
  await delay(1.2 * intervalS * 1000);
  if (counters.connectAttempts === first) throw new Error('no host was checked');
  return measured(site, async () => {
    const before = counters.connectAttempts;
    await delay(seconds * 1000);
    return counters.connectAttempts - before;
  });
}
