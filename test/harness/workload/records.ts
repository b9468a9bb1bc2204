// Clusters and hosts that clients create and remove.

import { setTimeout as delay } from 'node:timers/promises';
import type { HostFleet } from '../host-fleets/host-fleet.ts';
import { waitUntil } from '../wait-until.ts';
import type { AdminClient } from './admin-client.ts';
import type { AcknowledgedChanges } from './invariants.ts';
import { LoadLoop } from './load-loop.ts';

export const createCluster = (admin: AdminClient, name: string): Promise<unknown> =>
  admin.requestUntilDone(`cluster/${name}`, { method: 'PUT', body: { network: 'default' } });

interface RecordLoadOptions {
  readonly admin: AdminClient;
  readonly acknowledged: AcknowledgedChanges;
}

const CREATE_PAUSE_MS = 100;

/** Creates clusters on random servers. */
export const clusterLoad = ({ admin, acknowledged }: RecordLoadOptions): LoadLoop =>
  new LoadLoop('clusters', CREATE_PAUSE_MS, async number => {
    await createCluster(admin, `record-${number}`);
    acknowledged.add('cluster.created', `record-${number}`);
    return [];
  });

const PAUSE_MS = 200;
/** Maximum number of existing records. */
const MAX_RECORDS = 20;

/** Creates clusters on random servers, checks them on all servers, and removes them later. */
export class RecordLoad {
  readonly loop: LoadLoop;
  readonly #options: RecordLoadOptions;
  readonly #names: string[] = [];

  constructor(options: RecordLoadOptions) {
    this.#options = options;
    this.loop = new LoadLoop('records', PAUSE_MS, number => this.#runRound(`record-${number}`));
  }

  /** Acknowledged records that are missing. */
  async findMissing(): Promise<readonly string[]> {
    const errors = await Promise.all(this.#names.map(name => this.#checkStatus(name, 200)));
    return errors.flat();
  }

  async #runRound(name: string): Promise<readonly string[]> {
    const { admin, acknowledged } = this.#options;
    await createCluster(admin, name);
    acknowledged.add('cluster.created', name);
    this.#names.push(name);
    const created = await this.#checkStatus(name, 200);
    const oldest = this.#names.length > MAX_RECORDS ? this.#names.shift() : undefined;
    if (oldest === undefined) return created;
    const stillThere = await this.#checkStatus(oldest, 200);
    await admin.remove(`cluster/${oldest}`);
    acknowledged.add('cluster.removed', oldest);
    return [...created, ...stillThere, ...(await this.#checkStatus(oldest, 404))];
  }

  #checkStatus(name: string, status: number): Promise<readonly string[]> {
    return this.#options.admin.checkEveryServer(`cluster/${name}`, status);
  }
}

const enrolmentOf = ({ privateKey, endpoints }: HostFleet, address: string) => ({
  ...{ ssh_priv_key: privateKey, ssh_port: endpoints.get(address)?.port },
});

const ENROL_BATCH = 20;
const ENROL_TIMEOUT_MS = 60_000;
/** Enrolling 2,000 hosts on two cores. */
const ALL_READY_TIMEOUT_MS = 1_200_000;
const POLL_INTERVAL_MS = 500;
const PROGRESS_INTERVAL_MS = 15_000;

/** Enrols the hosts, each in its cluster, and waits until all are active. */
export async function enrolHosts(
  admin: AdminClient,
  fleet: HostFleet,
  clusters: ReadonlyMap<string, string>,
  onProgress: (text: string) => void = () => {},
): Promise<void> {
  for (const name of new Set(clusters.values())) await createCluster(admin, name);
  const hosts = [...clusters].map(([address, cluster]) => ({ address, ...enrolmentOf(fleet, address), cluster }));
  for (let from = 0; from < hosts.length; from += ENROL_BATCH) {
    const body = { hosts: hosts.slice(from, from + ENROL_BATCH) };
    const request = { method: 'PUT', body, timeoutMs: ENROL_TIMEOUT_MS };
    const isDone = async () => (await admin.requestAny('hosts/bulk', request))?.status === 200;
    await waitUntil('hosts are enrolled', isDone, ALL_READY_TIMEOUT_MS);
  }
  let nextMs = 0;
  const areActive = async () => {
    await delay(POLL_INTERVAL_MS);
    const { body } = await admin.requestUntilDone('overview');
    const { active } = (body as { hosts: { by_status: { active: number } } }).hosts.by_status;
    if (performance.now() > nextMs) {
      nextMs = performance.now() + PROGRESS_INTERVAL_MS;
      onProgress(`${active} of ${hosts.length} hosts are active`);
    }
    return active === hosts.length;
  };
  await waitUntil('all hosts are active', areActive, ALL_READY_TIMEOUT_MS);
}

const HOST_PAUSE_MS = 1500;
const READY_TIMEOUT_MS = 180_000;

interface TransientHostOptions extends RecordLoadOptions {
  readonly fleet: HostFleet;
  readonly cluster: string;
}

/** Enrols and removes a host repeatedly, alternating with and without a cluster. */
export const transientHostLoad = (
  { admin, acknowledged, fleet, cluster }: TransientHostOptions,
  address: string,
): LoadLoop =>
  new LoadLoop(`host ${address}`, HOST_PAUSE_MS, async number => {
    const target = `host/${address}`;
    const [member, ready] = number % 2 === 0 ? [{ cluster }, 'active'] : [{}, 'disassociated'];
    await admin.requestUntilDone(target, { method: 'PUT', body: { ...enrolmentOf(fleet, address), ...member } });
    acknowledged.add('host.created', address);
    const isReady = async () => {
      await delay(POLL_INTERVAL_MS);
      return ((await admin.requestUntilDone(target)).body as { status: string }).status === ready;
    };
    await waitUntil(`${address} is ${ready}`, isReady, READY_TIMEOUT_MS);
    await admin.requestUntilDone(`${target}/labels`, { method: 'PUT', body: { round: String(number) } });
    await admin.remove(target);
    acknowledged.add('host.removed', address);
    return admin.checkEveryServer(target, 404);
  });
