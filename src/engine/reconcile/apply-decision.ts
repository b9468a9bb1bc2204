import type { Address } from '../../domain/addresses/address.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asBlocked, asSkipped, withPhase } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import { clearedUntil, describeOutage, outageError } from '../../domain/rollout/outage.ts';
import type { OperationTask } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { pendingSteps } from '../../procedures/step.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { EnginePorts } from '../ports.ts';

export interface ReconcileContext {
  readonly records: Repositories;
  readonly operation: ClusterOperation;
  readonly nowMs: number;
}

export interface ReconcileTransaction extends ReconcileContext {
  readonly at: string;
  /** Until when the last contacts of other members count as recent; time of the store. */
  readonly freshUntilMs: number;
  emit(events: readonly DomainEvent[]): Promise<void>;
}

function buildTask(
  { operation }: ReconcileTransaction,
  { host, enrolment, attempt, stageResult }: OperationHost,
  kind: OperationTask['kind'],
): OperationTask {
  const { id, kind: operationKind, cluster, version, trace } = operation;
  const { drain, reboot, check, timeouts, minHealthyS } = operation.policy;
  const policy = { drain, reboot, check, timeouts, minHealthyS };
  const fields = {
    ...{ operation: id, operationKind, cluster, version, policy, attempt, host, enrolment },
    ...(trace !== undefined && { trace }),
  };
  return kind === 'stage' ? { kind, ...fields } : { kind, stageResult, ...fields };
}

export async function startHosts(
  { procedures }: Pick<EnginePorts, 'procedures'>,
  transaction: ReconcileTransaction,
  hosts: Readonly<Record<OperationTask['kind'], readonly Address[]>>,
): Promise<void> {
  const { records, operation, nowMs, at } = transaction;
  const tasks: OperationTask[] = [];
  const started: OperationHost[] = [];
  for (const kind of ['stage', 'rollout'] as const) {
    for (const host of hosts[kind]) {
      const operationHost = await records.operationHosts.get(operation.id, host);
      // The bootstrap of the host is still in its last step. A later reconcile starts the host.
      const isBootstrapping = (await records.tasks.list(host)).some(({ kind: other }) => other === 'bootstrap');
      if (operationHost === undefined || isBootstrapping) continue;
      const task = buildTask(transaction, operationHost, kind);
      const phase = pendingSteps(procedures[kind].steps, task, INITIAL_TASK_STATE)[0]?.phase ?? operationHost.phase;
      tasks.push(task);
      // Recorded before the node is cordoned, so that no cordon of this operation is unknown after a crash.
      const isCordoned = operationHost.isCordoned || phase === 'cordoning';
      // The budget was checked in this transaction, so a host without drain and upgrade can reboot immediately.
      const clearedUntilMs = phase === 'armed' ? clearedUntil(transaction.nowMs, transaction.freshUntilMs) : null;
      started.push({ ...withPhase(operationHost, phase, at), isCordoned, clearedUntilMs });
    }
  }
  // Locks the host queue before the rows of the operation, in the same order as task runs.
  await records.tasks.insert(tasks, nowMs);
  for (const operationHost of started) await records.operationHosts.update(operation.id, operationHost);
  await transaction.emit(started.map(operationHost => operationHostEvent(operation, operationHost)));
}

/** Allows hosts in flight to reboot while the last contacts of other members are recent. */
export async function clearHosts(transaction: ReconcileTransaction, hosts: readonly Address[]): Promise<void> {
  if (hosts.length === 0) return;
  const { records, operation, nowMs } = transaction;
  // Locks the host queue before the rows of the operation, in the same order as task runs.
  await records.tasks.runNow(operation.id, hosts, nowMs);
  await records.operationHosts.setCleared(operation.id, hosts, clearedUntil(nowMs, transaction.freshUntilMs));
}

async function pendingHosts(
  { records, operation }: ReconcileTransaction,
  outages: readonly Outage[],
): Promise<readonly { readonly planned: OperationHost; readonly outage: Outage }[]> {
  const outagesByHost = new Map(outages.map(outage => [outage.host, outage]));
  const operationHost = await records.operationHosts.getMany(operation.id, [...outagesByHost.keys()]);
  return operationHost.flatMap(host => {
    const outage = outagesByHost.get(host.host);
    return outage && host.phase === 'pending' ? [{ planned: host, outage }] : [];
  });
}

export async function excludeHosts(transaction: ReconcileTransaction, outages: readonly Outage[]): Promise<void> {
  const excluded = (await pendingHosts(transaction, outages)).map(({ planned: operationHost, outage }) =>
    asSkipped(operationHost, transaction.at, 'unhealthy', { problem: describeOutage(outage) }),
  );
  await updateHosts(transaction, excluded);
}

export async function markBlocked(transaction: ReconcileTransaction, outages: readonly Outage[]): Promise<void> {
  const blocked = (await pendingHosts(transaction, outages)).map(({ planned: operationHost, outage }) =>
    asBlocked(operationHost, {
      problem: outageError(outage),
      isUnreachable: outage.reason === 'unreachable',
    }),
  );
  await updateHosts(transaction, blocked);
}

async function updateHosts(
  { records, operation, emit }: ReconcileTransaction,
  hosts: readonly OperationHost[],
): Promise<void> {
  if (hosts.length === 0) return;
  await records.operationHosts.updateAll(operation.id, hosts);
  await emit(hosts.map(operationHost => operationHostEvent(operation, operationHost)));
}
