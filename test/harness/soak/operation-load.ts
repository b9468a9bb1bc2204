import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedHost } from '../chaos/invariants.ts';
import type { AcknowledgedChanges } from './consistency-checks.ts';
import { LoadLoop } from './load-loop.ts';
import type { SoakEnvironment } from './soak-environment.ts';

const PAUSE_MS = 100;
const POLL_INTERVAL_MS = 500;
const OPERATION_TIMEOUT_MS = 300_000;
/** Every fifth operation is cancelled, every third is an upgrade. */
const CANCELLED_EVERY = 5;
const UPGRADE_EVERY = 3;
const MAX_UNAVAILABLE_PERCENT = 20;
const POLICY = { max_unavailable: `${MAX_UNAVAILABLE_PERCENT}%`, min_healthy_s: 0 };

/** Hosts of a ring that may be unavailable at once. */
export const computeBudget = (hostsPerRing: number): number =>
  Math.max(1, Math.floor((hostsPerRing * MAX_UNAVAILABLE_PERCENT) / 100));

interface Operation {
  readonly id: string;
  readonly status: string;
  readonly problem: string;
  readonly hosts: readonly RecordedHost[];
}

/** `undefined` after a timeout. */
async function waitForEnd(
  { admin }: SoakEnvironment,
  id: string,
  isCancelled: boolean,
): Promise<Operation | undefined> {
  const deadline = performance.now() + OPERATION_TIMEOUT_MS;
  let hasCancelled = false;
  while (performance.now() < deadline) {
    const operation = (await admin.requestUntilDone(`operation/${id}`)).body as Operation;
    if (operation.status !== 'in_process') return operation;
    if (isCancelled && !hasCancelled && operation.hosts.some(({ phase }) => phase === 'done')) {
      hasCancelled = true;
      // 409: the operation has already ended.
      const response = await admin.requestAny(`operation/${id}/cancel`, { method: 'PUT' });
      hasCancelled = response?.status === 200 || response?.status === 409;
    }
    await delay(POLL_INTERVAL_MS);
  }
  return undefined;
}

/** Done hosts of a restart have exactly one accepted reboot, all others at most one. */
function checkReboots({ fleet }: SoakEnvironment, { id, hosts }: Operation, isRestart: boolean): readonly string[] {
  return hosts.flatMap(({ address, phase }) => {
    const times = fleet.acceptedReboots(address).filter(({ operation }) => operation === id).length;
    const minimum = isRestart && phase === 'done' ? 1 : 0;
    return times >= minimum && times <= 1 ? [] : [`${address} is ${phase}, but accepted ${times} reboots for ${id}`];
  });
}

/** Runs operations on one cluster back to back. */
export const operationLoad = (
  environment: SoakEnvironment,
  cluster: string,
  acknowledged: AcknowledgedChanges,
): LoadLoop =>
  new LoadLoop(`operations on ${cluster}`, PAUSE_MS, async number => {
    const { admin } = environment;
    const kind = number % UPGRADE_EVERY === UPGRADE_EVERY - 1 ? 'upgrade' : 'restart';
    const isCancelled = number % CANCELLED_EVERY === CANCELLED_EVERY - 1;
    await admin.requestUntilDone(`cluster/${cluster}/${kind}`, { method: 'PUT', body: { policy: POLICY } });
    const [started] = (await admin.requestUntilDone(`operations?cluster=${cluster}&limit=1`)).body as Operation[];
    if (started === undefined) return ['the started operation does not exist'];
    acknowledged.add('operation.started', started.id);
    const ended = await waitForEnd(environment, started.id, isCancelled);
    if (ended === undefined) return [`${kind} ${started.id} did not end within ${OPERATION_TIMEOUT_MS / 1000} s`];
    acknowledged.add('operation.ended', ended.id);
    const expectedStatuses = isCancelled ? ['finished', 'cancelled'] : ['finished'];
    const incomplete = ended.hosts.filter(({ phase }) => ended.status === 'finished' && phase !== 'done');
    return [
      ...(expectedStatuses.includes(ended.status) ? [] : [`${kind} ${ended.id} is ${ended.status}: ${ended.problem}`]),
      ...incomplete.map(({ address, phase }) => `${kind} ${ended.id} has finished, but ${address} is ${phase}`),
      ...checkReboots(environment, ended, kind === 'restart'),
    ];
  });
