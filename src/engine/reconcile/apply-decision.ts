import type { Address } from '../../domain/addresses/address.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asBlocked, asSkipped, withPhase } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import { clearedUntil, describeOutage, outageError } from '../../domain/rollout/outage.ts';
import type { OperationTask } from '../../domain/tasks/task.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { EnginePorts } from '../ports.ts';

/** A decision that is being made. */
export interface ReconcileContext {
  readonly records: Repositories;
  readonly operation: ClusterOperation;
  /** The store's clock. */
  readonly nowMs: number;
}

/** One that is made, and has to be written. */
export interface ReconcileTransaction extends ReconcileContext {
  readonly at: string;
  /** Until when the answers of other members count, by the store's clock. */
  readonly freshUntilMs: number;
  emit(events: readonly DomainEvent[]): Promise<void>;
}

/** What is done next on a host that was let go on. */
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

/** Saves the work of hosts that may go on, and that they do. */
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
      // The last step of a bootstrap is under way: it is started on the next time.
      const isBootstrapping = (await records.tasks.list(host)).some(
        ({ kind: other }) => other === 'bootstrap',
      );
      if (operationHost === undefined || isBootstrapping) continue;
      const task = buildTask(transaction, operationHost, kind);
      const phase = procedures.procedureFor(task).steps[0]?.phase ?? operationHost.phase;
      tasks.push(task);
      // Said before it is done: whatever happens, no cordon of ours is unknown.
      const isCordoned = operationHost.isCordoned || phase === 'cordoning';
      // The budget was checked this moment: a host that is neither drained nor upgraded first may reboot at once.
      const clearedUntilMs =
        phase === 'armed' ? clearedUntil(transaction.nowMs, transaction.freshUntilMs) : null;
      started.push({ ...withPhase(operationHost, phase, at), isCordoned, clearedUntilMs });
    }
  }
  await records.tasks.insert(tasks);
  // Before the rows of the operation, as turns lock them.
  await records.hostQueue.addTasks(
    tasks.map(task => task.host),
    nowMs,
  );
  for (const operationHost of started) await records.operationHosts.update(operation.id, operationHost);
  await transaction.emit(started.map(operationHost => operationHostEvent(operation, operationHost)));
}

// What a decision writes about single hosts, apart from starting them.

/** Lets hosts in flight be sent their reboot, for as long as the answers of the other members count. */
export async function clearHosts(
  transaction: ReconcileTransaction,
  hosts: readonly Address[],
): Promise<void> {
  if (hosts.length === 0) return;
  const { records, operation, nowMs } = transaction;
  // The agenda before the rows of the operation, as turns lock them.
  await records.hostQueue.runTasksNow(hosts, nowMs);
  await records.tasks.runNow(operation.id, hosts, nowMs);
  await records.operationHosts.setCleared(operation.id, hosts, clearedUntil(nowMs, transaction.freshUntilMs));
}

async function pendingHosts(
  { records, operation }: ReconcileTransaction,
  outages: readonly Outage[],
): Promise<readonly { readonly planned: OperationHost; readonly outage: Outage }[]> {
  const outagesByHost = new Map(outages.map(outage => [outage.host, outage]));
  const planned = await records.operationHosts.getMany(operation.id, [...outagesByHost.keys()]);
  return planned.flatMap(host => {
    const outage = outagesByHost.get(host.host);
    return outage && host.phase === 'pending' ? [{ planned: host, outage }] : [];
  });
}

/** Skips the hosts of the plan that are unhealthy. */
export async function excludeHosts(
  transaction: ReconcileTransaction,
  outages: readonly Outage[],
): Promise<void> {
  const excluded = (await pendingHosts(transaction, outages)).map(({ planned, outage }) =>
    asSkipped(planned, transaction.at, 'unhealthy', { problem: describeOutage(outage) }),
  );
  await updateHosts(transaction, excluded);
}

/** The records of hosts that keep the operation from starting say so. */
export async function markBlocked(
  transaction: ReconcileTransaction,
  outages: readonly Outage[],
): Promise<void> {
  const marked = (await pendingHosts(transaction, outages)).map(({ planned, outage }) =>
    asBlocked(planned, {
      problem: outageError(outage),
      isUnreachable: outage.reason === 'unreachable',
    }),
  );
  await updateHosts(transaction, marked);
}

async function updateHosts(
  { records, operation, emit }: ReconcileTransaction,
  hosts: readonly OperationHost[],
): Promise<void> {
  if (hosts.length === 0) return;
  await records.operationHosts.updateAll(operation.id, hosts);
  await emit(hosts.map(planned => operationHostEvent(operation, planned)));
}
