import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import type { AcknowledgedChanges } from './consistency-checks.ts';
import { checkEveryServer } from './consistency-checks.ts';
import { LoadLoop } from './load-loop.ts';
import type { SoakEnvironment } from './soak-environment.ts';
import { clusterName } from './soak-environment.ts';

const PAUSE_MS = 200;
/** Maximum number of existing records. */
const MAX_RECORDS = 20;

/** Creates records on random servers, checks them on all servers, and removes them later. */
export class RecordLoad {
  readonly loop: LoadLoop;
  readonly #environment: SoakEnvironment;
  readonly #acknowledged: AcknowledgedChanges;
  readonly #names: string[] = [];

  constructor(environment: SoakEnvironment, acknowledged: AcknowledgedChanges) {
    this.#environment = environment;
    this.#acknowledged = acknowledged;
    this.loop = new LoadLoop('records', PAUSE_MS, number => this.#runRound(`record-${number}`));
  }

  /** Acknowledged records that are missing. */
  async findMissing(): Promise<readonly string[]> {
    const errors = await Promise.all(this.#names.map(name => this.#checkStatus(name, 200)));
    return errors.flat();
  }

  async #runRound(name: string): Promise<readonly string[]> {
    const { admin } = this.#environment;
    await admin.requestUntilDone(`cluster/${name}`, { method: 'PUT', body: { network: 'default' } });
    this.#acknowledged.add('cluster.created', name);
    this.#names.push(name);
    const created = await this.#checkStatus(name, 200);
    const oldest = this.#names.length > MAX_RECORDS ? this.#names.shift() : undefined;
    if (oldest === undefined) return created;
    const stillThere = await this.#checkStatus(oldest, 200);
    await this.#environment.remove(`cluster/${oldest}`);
    this.#acknowledged.add('cluster.removed', oldest);
    return [...created, ...stillThere, ...(await this.#checkStatus(oldest, 404))];
  }

  #checkStatus(name: string, status: number): Promise<readonly string[]> {
    return checkEveryServer(this.#environment, `cluster/${name}`, status);
  }
}

const HOST_PAUSE_MS = 1500;
const POLL_INTERVAL_MS = 500;
const READY_TIMEOUT_MS = 180_000;

/** Enrols and removes a host repeatedly, alternating with and without a cluster. */
export const transientHostLoad = (
  environment: SoakEnvironment,
  address: string,
  acknowledged: AcknowledgedChanges,
): LoadLoop =>
  new LoadLoop(`host ${address}`, HOST_PAUSE_MS, async number => {
    const { admin } = environment;
    const target = `host/${address}`;
    const [cluster, ready] = number % 2 === 0 ? [{ cluster: clusterName(0) }, 'active'] : [{}, 'disassociated'];
    await admin.requestUntilDone(target, {
      method: 'PUT',
      body: { ...environment.enrolment(address), ...cluster },
    });
    acknowledged.add('host.created', address);
    const isReady = async () => {
      await delay(POLL_INTERVAL_MS);
      return ((await admin.requestUntilDone(target)).body as { status: string }).status === ready;
    };
    await waitUntil(`it is ${ready}`, isReady, READY_TIMEOUT_MS);
    await admin.requestUntilDone(`${target}/labels`, { method: 'PUT', body: { round: String(number) } });
    await environment.remove(target);
    acknowledged.add('host.removed', address);
    return checkEveryServer(environment, target, 404);
  });
