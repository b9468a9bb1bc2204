import { setTimeout as delay } from 'node:timers/promises';
import type { AdminClient } from './admin-client.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';
import { CLUSTER } from './chaos-environment.ts';
import type { RecordedHost } from './invariants.ts';

/**
 * For restarts that hang. On a busy machine a restart takes minutes, because all members are checked before
 * each decision.
 */
const TIMEOUT_MS = 480_000;
const POLL_INTERVAL_MS = 200;
/** Long, because server faults must never fail a host. */
const TIMEOUTS = { stage: 600, apply: 600, reboot: 600, ready: 600 };

export interface OperationResponse {
  readonly id: string;
  readonly status: string;
  readonly hosts: readonly RecordedHost[];
}

/** Returns the ID of the operation. */
export async function startRestart({ admin }: ChaosEnvironment, maxUnavailable: number): Promise<string> {
  const policy = { max_unavailable: maxUnavailable, min_healthy_s: 1, timeouts: TIMEOUTS };
  await admin.requestUntilDone(`cluster/${CLUSTER}/restart`, { method: 'PUT', body: { policy } });
  const [operation] = (await admin.requestUntilDone(`operations?cluster=${CLUSTER}`)).body as OperationResponse[];
  if (operation === undefined) throw new Error('the restart created no operation');
  return operation.id;
}

/** Returns the final status; `undefined` after a timeout. */
export async function waitForEnd({ admin }: ChaosEnvironment, id: string): Promise<string | undefined> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const response = await admin.requestAny(`operations?cluster=${CLUSTER}`);
    const operations = response?.status === 200 ? (response.body as OperationResponse[]) : [];
    const status = operations.find(operation => operation.id === id)?.status ?? 'in_process';
    if (status !== 'in_process') return status;
    await delay(POLL_INTERVAL_MS);
  }
  return undefined;
}

const INTERVAL_MS = 100;

/** Creates clusters continuously on random servers and records the acknowledged names. */
export class BackgroundWriter {
  readonly acknowledged: string[] = [];
  readonly #admin: AdminClient;
  #isStopping = false;
  #writing: Promise<void> | undefined;

  constructor(admin: AdminClient) {
    this.#admin = admin;
  }

  start(): void {
    this.#writing = this.#write();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let number = 1; !this.#isStopping; number += 1) {
      const name = `record-${number}`;
      const response = await this.#admin.requestAny(`cluster/${name}`, {
        method: 'PUT',
        body: { network: 'default' },
      });
      if (response?.status === 201) this.acknowledged.push(name);
      await delay(INTERVAL_MS);
    }
  }
}
