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

/** No host starts before the container manager responds. A reconcile run must not wait for it longer. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Returns the addresses of the control plane, or a text that says why they are unknown. */
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

// One reconcile run of an operation. The decision is written in one transaction while the operation is locked, so that
// the next run sees all of it.

/** Resync interval for open operations, because signals from other servers can be lost. */
export const RESYNC_INTERVAL_MS = 30_000;
const MANAGER_RETRY_MS = 5000;

interface ReconcileResult {
  readonly status: OperationStatus;
  /** Members whose last contact is older are checked; `null` if none need a check. */
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
    // The operation was resumed after `initial` was read, so its control plane is unknown. The next run queries it.
    if (operation.state === 'planned' && initial.state !== 'planned') return undefined;
    const context: ReconcileContext = { records, operation, nowMs: await records.nowMs() };
    if (typeof controlPlane === 'string') return postponeForManager(context, controlPlane);
    if (operation.state === 'planned') await records.operationHosts.setControlPlane(id, controlPlane);
    return decideAndApply(ports, context);
  });
  if (decided === undefined) return;
  const { status, checkAfterMs } = decided;
  if (!isOperationOpen(status)) ports.metrics.operationEnded(initial.kind, status.state);
  // A separate transaction, because it locks rows of many hosts.
  if (checkAfterMs !== null)
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      await records.hostQueue.checkMembers(initial.cluster, now - checkAfterMs, now);
    });
}

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
  const { stage, roll: rollout, clearToReboot, exclude, blockedBy, status } = decided;
  // Taken after the snapshot was read: recorded times must never show a host in a slot before another host has left it.
  const at = formatTimestamp(ports.clock.now());
  const emit = (events: readonly DomainEvent[]) =>
    records.outbox.add(events.map(event => toOutboxEntry(event, LOCAL_ACTOR, at)));
  const transaction = { ...context, at, emit, freshUntilMs: snapshot.freshUntilMs };
  await startHosts(ports, transaction, { stage, rollout });
  await clearHosts(transaction, clearToReboot);
  await excludeHosts(transaction, exclude);
  await markBlocked(transaction, blockedBy);
  const dueAt = Math.min(decided.reconcileAtMs ?? Number.POSITIVE_INFINITY, nowMs + RESYNC_INTERVAL_MS);
  // An ignored host that is active again is no longer ignored.
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
