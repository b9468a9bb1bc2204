import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import { operationHostEvent, operationStatusEvents } from '../../domain/events/status-events.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { decideRollout } from '../../domain/rollout/decide.ts';
import { clearedUntil } from '../../domain/rollout/freshness.ts';
import { isWindowOpen, nextWindowChange } from '../../domain/rollout/maintenance-window.ts';
import type { ClusterOperation, OperationStatus } from '../../domain/rollout/operation.ts';
import { isOperationOpen } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asBlocked, asSkipped, withPhase } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import { describeOutage, outageError } from '../../domain/rollout/outage.ts';
import type { RolloutSnapshot } from '../../domain/rollout/snapshot.ts';
import type { OperationTask } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { errorMessage } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import { pendingSteps } from '../../procedures/step.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import { logEvents } from '../host-transaction.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

const MAX_PER_POLL = 20;
/** Resync interval for open operations, because signals from other servers can be lost. */
const RESYNC_INTERVAL_MS = 30_000;
const MANAGER_RETRY_MS = 5000;
/** A reconcile run must not wait longer for the container manager. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** At most one run per operation at a time on this server. A request during a run causes another run. */
export class OperationReconciler {
  readonly #ports: EnginePorts;
  readonly #onChange: () => void;
  /** The periodic resync finds requests that a crash loses. */
  readonly #requested = new Set<RecordName>();
  readonly #inProgress = new Map<string, { promise: Promise<void>; needsRerun: boolean }>();

  constructor(ports: EnginePorts, onChange: () => void) {
    this.#ports = ports;
    this.#onChange = onChange;
  }

  request(cluster: RecordName): void {
    this.#requested.add(cluster);
    this.#onChange();
  }

  async reconcileDue(lease: Lease, now: number): Promise<void> {
    const { operations } = this.#ports.store.reads;
    for (const id of await operations.listDueIds(now, MAX_PER_POLL + this.#inProgress.size))
      if (!this.#inProgress.has(id)) this.#start(lease, id);
    for (const cluster of this.#requested) {
      this.#requested.delete(cluster);
      const open = await operations.getOpen(cluster).catch(error => {
        this.#requested.add(cluster);
        throw error;
      });
      const running = open && this.#inProgress.get(open.id);
      if (running) running.needsRerun = true;
      else if (open) this.#start(lease, open.id);
    }
  }

  /** Time of the store; 0 if a reconcile was requested, `null` if none is due. */
  async nextDue(): Promise<number | null> {
    const dueAt = await this.#ports.store.reads.operations.getNextDue([...this.#inProgress.keys()]);
    return this.#requested.size > 0 ? 0 : dueAt;
  }

  async waitForIdle(): Promise<void> {
    await Promise.allSettled([...this.#inProgress.values()].map(({ promise }) => promise));
  }

  #start(lease: Lease, id: string): void {
    const promise = this.#reconcile(lease, id).finally(() => {
      const needsRerun = this.#inProgress.get(id)?.needsRerun === true;
      this.#inProgress.delete(id);
      if (needsRerun && lease.isHeld()) this.#start(lease, id);
      this.#onChange();
    });
    this.#inProgress.set(id, { promise, needsRerun: false });
  }

  async #reconcile(lease: Lease, id: string): Promise<void> {
    const { store, log } = this.#ports;
    try {
      await reconcileOperation(this.#ports, lease, id);
    } catch (error) {
      if (error instanceof ClaimLostError || error instanceof StoreUnavailableError) return;
      log.error({ err: error, operation: id }, 'failed to reconcile an operation; retrying');
      await store
        .transaction(async records =>
          records.operations.scheduleReconcile(id, (await records.nowMs()) + RESYNC_INTERVAL_MS),
        )
        .catch(() => {});
    }
  }
}

/** Returns the reason as text if the addresses are unknown. */
async function fetchControlPlane(
  { store, clock, openManager }: Pick<EnginePorts, 'store' | 'clock' | 'openManager'>,
  lease: Lease,
  { cluster }: Pick<ClusterOperation, 'cluster'>,
): Promise<readonly Address[] | string> {
  const record = await store.reads.driverRecords.getManager(cluster);
  if (!record) return [];
  try {
    const manager = await openManager(record, {
      write: async () => lease.assertHeld(),
      mayProceed: () => lease.isHeld(),
    });
    return await withTimeout(clock, RESPONSE_TIMEOUT_MS, () => manager.controlPlane());
  } catch (error) {
    return `waiting for the container manager ${record.name}: ${errorMessage(error)}`;
  }
}

interface ReconcileContext {
  readonly records: Repositories;
  readonly operation: ClusterOperation;
  readonly nowMs: number;
}

interface ReconcileTransaction extends ReconcileContext {
  readonly at: string;
  /** Until when the last contacts of other members count as recent; time of the store. */
  readonly freshUntilMs: number;
  emit(events: readonly DomainEvent[]): Promise<void>;
}

interface ReconcileResult {
  readonly status: OperationStatus;
  /** Members whose last contact is older are checked; `null` if none need a check. */
  readonly checkAfterMs: number | null;
  readonly events: readonly DomainEvent[];
}

/** Writes the decision while the operation is locked, so that the next run sees all of it. */
async function reconcileOperation(ports: EnginePorts, lease: Lease, id: string): Promise<void> {
  const initial = await ports.store.reads.operations.get(id);
  if (initial === undefined || !isOperationOpen(initial)) return;
  const controlPlane = initial.state === 'planned' ? await fetchControlPlane(ports, lease, initial) : [];
  lease.assertHeld();
  const decided = await ports.store.transaction(async records => {
    const operation = await records.operations.lock(id);
    if (operation === undefined || !isOperationOpen(operation)) return undefined;
    // The operation was resumed after `initial` was read, so its control plane is unknown. The next run queries it.
    if (operation.state === 'planned' && initial.state !== 'planned') return undefined;
    const context: ReconcileContext = { records, operation, nowMs: await records.nowMs() };
    if (typeof controlPlane === 'string') return postponeForManager(context, controlPlane);
    if (operation.state === 'planned') await records.operationHosts.setControlPlane(id, controlPlane);
    return decideAndApply(ports, context);
  });
  if (decided === undefined) return;
  const { status, checkAfterMs, events } = decided;
  logEvents(ports, events);
  if (!isOperationOpen(status)) ports.metrics.operationEnded(initial.kind, status.state);
  // A separate transaction, because it locks rows of many hosts.
  if (checkAfterMs !== null)
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      await records.hostQueue.scheduleMemberChecks(initial.cluster, now - checkAfterMs, now);
    });
}

async function postponeForManager(
  { records, operation, nowMs }: ReconcileContext,
  problem: string,
): Promise<ReconcileResult> {
  await records.operations.updateStatus({ ...operation, problem }, nowMs + MANAGER_RETRY_MS);
  return { status: operation, checkAfterMs: null, events: [] };
}

async function readSnapshot(
  { settings }: EnginePorts,
  { records, operation, nowMs }: ReconcileContext,
): Promise<RolloutSnapshot> {
  const { window } = operation.policy;
  return records.rolloutSnapshots.read(operation, {
    nowMs,
    isPartitioned: await records.servers.areAllPartitioned(nowMs),
    isGloballyPaused: await records.serviceFlags.isGloballyPaused(),
    checkIntervalMs: settings.checkIntervalMs,
    window: window
      ? { isOpen: isWindowOpen(window, nowMs), changesAtMs: nextWindowChange(window, nowMs) }
      : { isOpen: true, changesAtMs: null },
  });
}

async function decideAndApply(ports: EnginePorts, context: ReconcileContext): Promise<ReconcileResult> {
  const { records, operation, nowMs } = context;
  const snapshot = await readSnapshot(ports, context);
  const decided = decideRollout(snapshot);
  const { stage, start: rollout, clearToReboot, exclude, blockedBy, status } = decided;
  // Taken after the snapshot was read: recorded times must never show a host in a slot before another host has left it.
  const at = formatTimestamp(ports.clock.now());
  const emitted: DomainEvent[] = [];
  const emit = (events: readonly DomainEvent[]) => {
    emitted.push(...events);
    return records.outbox.add(events.map(event => toOutboxEntry(event, LOCAL_ACTOR, at)));
  };
  const transaction = { ...context, at, emit, freshUntilMs: snapshot.freshUntilMs };
  await startHosts(ports, transaction, { stage, rollout });
  await clearHosts(transaction, clearToReboot);
  await updatePending(transaction, exclude, (operationHost, outage) =>
    asSkipped(operationHost, at, 'unhealthy', { problem: describeOutage(outage) }),
  );
  await updatePending(transaction, blockedBy, (operationHost, outage) =>
    asBlocked(operationHost, { problem: outageError(outage), isUnreachable: outage.reason === 'unreachable' }),
  );
  const dueAt = Math.min(decided.reconcileAtMs ?? Number.POSITIVE_INFINITY, nowMs + RESYNC_INTERVAL_MS);
  const ignored = operation.ignoredHosts.filter(host => !snapshot.recovered.includes(host));
  const next = {
    ...operation,
    ...status,
    blockedSinceMs: decided.blockedSinceMs,
    assessment: decided.assessment,
    finishedAt: isOperationOpen(status) ? null : at,
    ignoredHosts: [...ignored, ...exclude.map(({ host }) => host)],
  };
  await records.operations.updateStatus(next, dueAt);
  await emit(operationStatusEvents(operation, status));
  return { status, checkAfterMs: decided.checkAfterMs, events: emitted };
}

function buildTask(
  { operation }: ReconcileTransaction,
  { host, enrolment, attempt, stageResult }: OperationHost,
  kind: OperationTask['kind'],
): OperationTask {
  const { id, kind: operationKind, cluster, version, trace } = operation;
  const { drain, reboot, check, timeouts, minHealthyS } = operation.policy;
  const policy = { drain, reboot, check, timeouts, minHealthyS };
  const traced = trace !== undefined && { trace };
  const fields = { operation: id, operationKind, cluster, version, policy, attempt, host, enrolment, ...traced };
  return kind === 'stage' ? { kind, ...fields } : { kind, stageResult, ...fields };
}

async function startHosts(
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

async function clearHosts(transaction: ReconcileTransaction, hosts: readonly Address[]): Promise<void> {
  if (hosts.length === 0) return;
  const { records, operation, nowMs } = transaction;
  // Locks the host queue before the rows of the operation, in the same order as task runs.
  await records.tasks.runNow(operation.id, hosts, nowMs);
  await records.operationHosts.setCleared(operation.id, hosts, clearedUntil(nowMs, transaction.freshUntilMs));
}

async function updatePending(
  { records, operation, emit }: ReconcileTransaction,
  outages: readonly Outage[],
  update: (operationHost: OperationHost, outage: Outage) => OperationHost,
): Promise<void> {
  const outagesByHost = new Map(outages.map(outage => [outage.host, outage]));
  const operationHosts = await records.operationHosts.getMany(operation.id, [...outagesByHost.keys()]);
  const updated = operationHosts.flatMap(operationHost => {
    const outage = outagesByHost.get(operationHost.host);
    return outage && operationHost.phase === 'pending' ? [update(operationHost, outage)] : [];
  });
  if (updated.length === 0) return;
  await records.operationHosts.updateAll(operation.id, updated);
  await emit(updated.map(operationHost => operationHostEvent(operation, operationHost)));
}
