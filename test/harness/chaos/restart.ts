import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedHost } from './rules.ts';
import type { Stage } from './stage.ts';
import { CLUSTER } from './stage.ts';

/** A limit for restarts that hang. On a busy machine one takes minutes: every member is checked before each decision. */
const OVER_WITHIN_MS = 480_000;
const LOOK_EVERY_MS = 200;
/** Nothing that is done to servers may make a host fail. */
const TIMEOUTS = { stage: 600, apply: 600, reboot: 600, ready: 600 };

export interface Operation {
  readonly id: string;
  readonly status: string;
  readonly hosts: readonly RecordedHost[];
}

/** Restarts all hosts; answers the id of the operation. */
export async function startRestart({ people }: Stage, maxUnavailable: number): Promise<string> {
  const policy = { max_unavailable: maxUnavailable, min_healthy_s: 1, timeouts: TIMEOUTS };
  await people.insist(`cluster/${CLUSTER}/restart`, { method: 'PUT', body: { policy } });
  const [operation] = (await people.insist(`operations?cluster=${CLUSTER}`)).body as Operation[];
  if (operation === undefined) throw new Error('there is no operation');
  return operation.id;
}

/** How it ended; `undefined`: it did not. */
export async function endOf({ people }: Stage, id: string): Promise<string | undefined> {
  const deadline = performance.now() + OVER_WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await people.askAny(`operations?cluster=${CLUSTER}`);
    const all = answer?.status === 200 ? (answer.body as Operation[]) : [];
    const status = all.find(operation => operation.id === id)?.status ?? 'in_process';
    if (status !== 'in_process') return status;
    await delay(LOOK_EVERY_MS);
  }
  return undefined;
}
