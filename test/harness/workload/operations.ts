import { setTimeout as delay } from 'node:timers/promises';
import type { SshSimulatedHosts } from '../host-fleets/ssh-simulated-hosts.ts';
import type { AdminClient } from './admin-client.ts';
import type { AcknowledgedChanges, OperationHostResponse } from './invariants.ts';
import { LoadLoop } from './load-loop.ts';

export interface OperationResponse {
  readonly id: string;
  readonly status: string;
  readonly problem: string;
  readonly hosts: readonly OperationHostResponse[];
}

/** Returns the ID of the operation. */
export async function startOperation(
  admin: AdminClient,
  cluster: string,
  kind: 'restart' | 'upgrade',
  policy: object,
): Promise<string> {
  await admin.requestUntilDone(`cluster/${cluster}/${kind}`, { method: 'PUT', body: { policy } });
  const { body } = await admin.requestUntilDone(`operations?cluster=${cluster}&limit=1`);
  const [operation] = body as OperationResponse[];
  if (operation === undefined) throw new Error('the started operation does not exist');
  return operation.id;
}

const POLL_INTERVAL_MS = 500;

interface WaitOptions {
  readonly timeoutMs: number;
  /** Cancels the operation when its first host is done. */
  readonly cancelsAfterFirstHost?: boolean;
}

/** Reads the operation from any server, so servers can fail meanwhile. `undefined` after a timeout. */
export async function pollUntilOperationEnds(
  admin: AdminClient,
  id: string,
  { timeoutMs, cancelsAfterFirstHost = false }: WaitOptions,
): Promise<OperationResponse | undefined> {
  const deadline = performance.now() + timeoutMs;
  let hasCancelled = false;
  while (performance.now() < deadline) {
    const operation = (await admin.requestUntilDone(`operation/${id}`)).body as OperationResponse;
    if (operation.status !== 'in_process') return operation;
    if (cancelsAfterFirstHost && !hasCancelled && operation.hosts.some(({ phase }) => phase === 'done')) {
      // 409: the operation has already ended.
      const response = await admin.requestAny(`operation/${id}/cancel`, { method: 'PUT' });
      hasCancelled = response?.status === 200 || response?.status === 409;
    }
    await delay(POLL_INTERVAL_MS);
  }
  return undefined;
}

/** Done hosts of a restart have exactly one accepted reboot, all others at most one. */
function checkReboots(
  fleet: SshSimulatedHosts,
  { id, hosts }: OperationResponse,
  isRestart: boolean,
): readonly string[] {
  return hosts.flatMap(({ address, phase }) => {
    const times = fleet.acceptedReboots(address).filter(({ operation }) => operation === id).length;
    const minimum = isRestart && phase === 'done' ? 1 : 0;
    return times >= minimum && times <= 1 ? [] : [`${address} is ${phase}, but accepted ${times} reboots for ${id}`];
  });
}

const PAUSE_MS = 100;
const OPERATION_TIMEOUT_MS = 300_000;
/** Every fifth operation is cancelled, every third is an upgrade. */
const CANCELLED_EVERY = 5;
const UPGRADE_EVERY = 3;
const MAX_UNAVAILABLE_PERCENT = 20;
const POLICY = { max_unavailable: `${MAX_UNAVAILABLE_PERCENT}%`, min_healthy_s: 0 };

/** Hosts of a cluster that may be unavailable at once. */
export const computeBudget = (hosts: number): number =>
  Math.max(1, Math.floor((hosts * MAX_UNAVAILABLE_PERCENT) / 100));

interface OperationLoadOptions {
  readonly admin: AdminClient;
  readonly fleet: SshSimulatedHosts;
  readonly acknowledged: AcknowledgedChanges;
}

/** Runs operations on one cluster back to back. */
export const operationLoad = ({ admin, fleet, acknowledged }: OperationLoadOptions, cluster: string): LoadLoop =>
  new LoadLoop(`operations on ${cluster}`, PAUSE_MS, async number => {
    const kind = number % UPGRADE_EVERY === UPGRADE_EVERY - 1 ? 'upgrade' : 'restart';
    const shouldCancel = number % CANCELLED_EVERY === CANCELLED_EVERY - 1;
    const id = await startOperation(admin, cluster, kind, POLICY);
    acknowledged.add('operation.started', id);
    const ended = await pollUntilOperationEnds(admin, id, {
      timeoutMs: OPERATION_TIMEOUT_MS,
      cancelsAfterFirstHost: shouldCancel,
    });
    if (ended === undefined) return [`${kind} ${id} did not end within ${OPERATION_TIMEOUT_MS / 1000} s`];
    acknowledged.add('operation.ended', id);
    const expectedStatuses = shouldCancel ? ['finished', 'cancelled'] : ['finished'];
    const incomplete = ended.hosts.filter(({ phase }) => ended.status === 'finished' && phase !== 'done');
    return [
      ...(expectedStatuses.includes(ended.status) ? [] : [`${kind} ${id} is ${ended.status}: ${ended.problem}`]),
      ...incomplete.map(({ address, phase }) => `${kind} ${id} has finished, but ${address} is ${phase}`),
      ...checkReboots(fleet, ended, kind === 'restart'),
    ];
  });
