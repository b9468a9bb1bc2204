// Workloads: bootstraps, restarts, health checks, and an idle server.

import { setTimeout as delay } from 'node:timers/promises';
import { generateKeyPair } from '../../src/drivers/transport/ssh/ssh-keys.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { toAddress } from '../seed-store.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { copyHosts } from './copy-hosts.ts';
import type { ResourceUsage } from './resource-usage.ts';

/** Check interval for runs that health checks must not disturb. */
export const LONG_INTERVAL_S = 86_400;
const DEADLINE_MS = 900_000;
const IDLE_MS = 2000;
const ENROLLERS = 8;
/** Preflight, arm, reboot, reconnect, verify: each is saved before the next starts. */
const STEPS_PER_HOST = 5;

/** Completed units and their cost. */
export interface Run {
  readonly completed: number;
  readonly usage: ResourceUsage;
  readonly memoryMib: readonly number[];
}

export interface FleetSize {
  readonly hosts: number;
  /** Number of hosts enrolled over HTTP; the others are copied from the first. */
  readonly bootstrapped: number;
  /** Number of hosts in the restarted clusters. */
  readonly restarted: number;
  readonly clusters: number;
}

const toClusterName = (index: number, { restarted, clusters }: FleetSize) =>
  index < restarted ? `ring-${index % clusters}` : 'rest';

const readMemory = ({ servers }: BenchEnvironment) => servers.map(server => server.memoryMib);

async function measureRun(environment: BenchEnvironment, run: () => Promise<number>): Promise<Run> {
  let completed = 0;
  const usage = await environment.measure(async () => {
    completed = await run();
  });
  return { completed, usage, memoryMib: readMemory(environment) };
}

/** Waits until no host has received a command for a while. */
async function waitUntilIdle({ fleet: { counters } }: BenchEnvironment): Promise<void> {
  let [lastCount, since] = [counters.commands, performance.now()];
  await waitUntil(
    'hosts are idle',
    () => {
      if (counters.commands !== lastCount) [lastCount, since] = [counters.commands, performance.now()];
      return performance.now() - since > IDLE_MS;
    },
    DEADLINE_MS,
  );
}

/** Enrols the first hosts over HTTP and waits until they are active. */
export function bootstrapHosts(environment: BenchEnvironment, fleet: FleetSize): Promise<Run> {
  const { hosts, bootstrapped, clusters } = fleet;
  const key = Buffer.from(generateKeyPair('bench').privateKey.reveal()).toString('base64');
  for (let index = 0; index < hosts; index += 1) environment.fleet.add(toAddress(index), { os: 'debian' });
  return measureRun(environment, async () => {
    const names = [...Array.from({ length: clusters }, (_, index) => `ring-${index}`), 'rest'];
    for (const name of names) await environment.client.putCluster({ name, body: { network: 'default' } });
    let next = 0;
    const enrol = async () => {
      const { client } = environment;
      while (next < bootstrapped) {
        const index = next;
        next += 1;
        const body = { ssh_priv_key: key, cluster: toClusterName(index, fleet) };
        await client.putHost({ address: toAddress(index), body });
      }
    };
    await Promise.all(Array.from({ length: ENROLLERS }, enrol));
    const active = `select count(*) from hosts where status = 'active'`;
    await waitUntil(
      'all hosts are active',
      async () => (await environment.queryNumber(active)) === bootstrapped,
      DEADLINE_MS,
    );
    return bootstrapped;
  });
}

export async function copyRemainingHosts(environment: BenchEnvironment, fleet: FleetSize): Promise<void> {
  const indices = new Map(
    Array.from({ length: fleet.hosts }, (_, index) => [toAddress(index), index] as const).slice(fleet.bootstrapped),
  );
  await copyHosts(environment, {
    model: toAddress(0),
    addresses: [...indices.keys()],
    getCluster: address => toClusterName(indices.get(address) ?? 0, fleet),
  });
}

export async function runIdle(environment: BenchEnvironment, seconds: number): Promise<Run> {
  await waitUntilIdle(environment);
  return measureRun(environment, async () => {
    await delay(seconds * 1000);
    return seconds;
  });
}

/** Restarts all clusters concurrently; the unit is steps. */
export async function runRestarts(
  environment: BenchEnvironment,
  { restarted, clusters }: FleetSize,
  maxUnavailable: number,
): Promise<Run> {
  await waitUntilIdle(environment);
  return measureRun(environment, async () => {
    const { client } = environment;
    const policy = { max_unavailable: maxUnavailable, stage_parallel: maxUnavailable, min_healthy_s: 0 };
    const ids: string[] = [];
    for (let ring = 0; ring < clusters; ring += 1) {
      ids.push(getOperationId(await client.putRestart({ name: `ring-${ring}`, body: { policy } })));
    }
    const open = 'select count(*) from operations where is_open = 1';
    await waitUntil('all restarts have ended', async () => (await environment.queryNumber(open)) === 0, DEADLINE_MS);
    const { rows } = await environment.db.query(
      `select count(*)::int as count from operation_hosts where phase = 'done' and operation = any($1)`,
      [ids],
    );
    if (rows[0]?.count !== restarted) throw new Error(`${rows[0]?.count} of ${restarted} hosts are done`);
    return restarted * STEPS_PER_HOST;
  });
}

/** Health checks with the interval of the servers; the unit is checks. */
export async function runChecks(environment: BenchEnvironment, intervalS: number, seconds: number): Promise<Run> {
  const now = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  await environment.db.query(`update host_queue set check_due_at = ${now} + (random() * 1000 * ${intervalS})::bigint`);
  await environment.client.bootstrapHost({ address: toAddress(0), body: {} });
  const { counters } = environment.fleet;
  const initialAttempts = counters.connectAttempts;
  await delay(1.2 * intervalS * 1000);
  if (counters.connectAttempts === initialAttempts) throw new Error('no host was checked');
  return measureRun(environment, async () => {
    const before = counters.connectAttempts;
    await delay(seconds * 1000);
    return counters.connectAttempts - before;
  });
}
