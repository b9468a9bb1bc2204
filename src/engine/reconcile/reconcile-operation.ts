import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import { operationStatusEvents } from '../../domain/events/status-events.ts';
import { decideRollout } from '../../domain/rollout/decide.ts';
import { isWindowOpen, nextWindowChange } from '../../domain/rollout/maintenance-window.ts';
import type { ClusterOperation, OperationStatus } from '../../domain/rollout/operation.ts';
import { isOperationOpen } from '../../domain/rollout/operation.ts';
import type { RolloutSnapshot } from '../../domain/rollout/snapshot.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { errorMessage } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import type { ReconcileContext } from './apply-decision.ts';
import { clearHosts, excludeHosts, markBlocked, startHosts } from './apply-decision.ts';

/** Nobody is started on before it answers, and others are not held up by it. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** The nodes of the control plane, as the container manager of the cluster names them; a text: why it does not. */
export async function fetchControlPlane(
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

// One decision about an operation. What the rule says is written completely or not at all, under the lock of the operation, so that the next
// decision sees it.

/** Without any event, a decision about an open operation is repeated after this time: an event of another server may have been missed. */
export const RESYNC_INTERVAL_MS = 30_000;
/** A container manager that does not answer is asked again after this time. */
const MANAGER_RETRY_MS = 5000;

interface ReconcileResult {
  readonly status: OperationStatus;
  /** Members whose last contact is longer ago are checked; null: none are. */
  readonly checkAfterMs: number | null;
}

export async function reconcileOperation(ports: EnginePorts, lease: Lease, id: string): Promise<void> {
  const initial = await ports.store.reads.operations.get(id);
  if (initial === undefined || !isOperationOpen(initial)) return;
  const controlPlane = initial.state === 'planned' ? await fetchControlPlane(ports, lease, initial) : [];
  lease.assertHeld();
  const decided = await ports.store.transaction(async records => {
    const operation = await records.operations.lock(id);
    if (operation === undefined || !isOperationOpen(operation)) return undefined;
    // Resumed this moment, and its control plane is not known yet: the next decision asks for it.
    if (operation.state === 'planned' && initial.state !== 'planned') return undefined;
    const context: ReconcileContext = { records, operation, nowMs: await records.nowMs() };
    if (typeof controlPlane === 'string') return postponeForManager(context, controlPlane);
    if (operation.state === 'planned') await records.operationHosts.setControlPlane(id, controlPlane);
    return decideAndApply(ports, context);
  });
  if (decided === undefined) return;
  const { status, checkAfterMs } = decided;
  if (!isOperationOpen(status)) ports.metrics?.operationEnded(initial.kind, status.state);
  // In a transaction of its own: it locks rows of many hosts.
  if (checkAfterMs !== null)
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      await records.hostQueue.checkMembers(initial.cluster, now - checkAfterMs, now);
    });
}

/** No host is started until the control plane is known. */
async function postponeForManager(
  { records, operation, nowMs }: ReconcileContext,
  problem: string,
): Promise<ReconcileResult> {
  await records.operations.updateStatus({ ...operation, problem }, nowMs + MANAGER_RETRY_MS);
  return { status: operation, checkAfterMs: null };
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
  const { stage, roll, clearToReboot, exclude, blockedBy, status } = decided;
  // Not before the snapshot was read: by the record, too, no host has a slot before another has left it.
  const at = formatTimestamp(ports.clock.now());
  const emit = (events: readonly DomainEvent[]) =>
    records.outbox.add(events.map(event => toOutboxEntry(event, LOCAL_ACTOR, at)));
  const transaction = { ...context, at, emit: emit, freshUntilMs: snapshot.freshUntilMs };
  await startHosts(ports, transaction, { stage, rollout: roll });
  await clearHosts(transaction, clearToReboot);
  await excludeHosts(transaction, exclude);
  await markBlocked(transaction, blockedBy);
  const dueAt = Math.min(decided.reconcileAtMs ?? Number.POSITIVE_INFINITY, nowMs + RESYNC_INTERVAL_MS);
  // An ignored member that is active again counts like every other from now on.
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
  return { status, checkAfterMs: decided.checkAfterMs };
}
