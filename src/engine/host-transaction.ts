import { isDeepStrictEqual } from 'node:util';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import type { DomainEvent } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { OutputRef } from '../domain/events/signal.ts';
import { hostStatusEvent, operationHostEvent } from '../domain/events/status-events.ts';
import type { Host } from '../domain/hosts/host.ts';
import { withFacts } from '../domain/hosts/host.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import { isBootstrapped, nextStatus } from '../domain/hosts/host-status.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { OperationHost } from '../domain/rollout/operation-host.ts';
import {
  asDelayed,
  asDone,
  asFailed,
  asSkipped,
  asStaged,
  displayState,
  phaseGroupOf,
  wasInFlight,
  withPhase,
} from '../domain/rollout/operation-host.ts';
import type { Claim, ClaimRelease } from '../domain/tasks/host-queue.ts';
import type { OperationTask, Rollback, StepResult, Task, TaskState } from '../domain/tasks/task.ts';
import { isOperationTask } from '../domain/tasks/task.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { UNHEALTHY_STATUSES } from '../domain/vocabulary.ts';
import type { TaskProcedure } from '../procedures/index.ts';
import { isRelockFailed } from '../procedures/rollout/apply.ts';
import { isCordonRolledBack, isCordonSkipped } from '../procedures/rollout/drain.ts';
import { verifiedBootId } from '../procedures/rollout/preflight-and-verify.ts';
import { isVerifyOnly, VERIFY_ONLY } from '../procedures/rollout/stage.ts';
import { pendingSteps } from '../procedures/step.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { Lease } from './lease.ts';
import { ClaimLostError } from './lease.ts';
import type { EnginePorts, RunPorts } from './ports.ts';

export interface HostTransaction {
  readonly records: Repositories;
  /** Locked; `undefined` if the host was removed. */
  readonly host: Host | undefined;
  /** Time of the store, used for due times. */
  readonly nowMs: number;
  /** Time of this server, used in records and events. */
  readonly at: string;
  emit(event: DomainEvent): Promise<void>;
  requestReconcile(cluster: RecordName): void;
  notifyOutput(output: OutputRef): void;
}

/** After the commit: a transaction can be repeated. */
export function logEvents({ log }: Pick<EnginePorts, 'log'>, events: readonly DomainEvent[]): void {
  for (const { type, subject: _, ...fields } of events) {
    const level = type === 'operation.state' || type === 'operation.ended' ? 'info' : 'debug';
    log[level]({ event: type, ...fields }, 'event');
  }
}

/** Throws `ClaimLostError` if another server has claimed the host since. */
export async function withClaimedHost<T>(
  ports: Pick<RunPorts, 'store' | 'clock' | 'log' | 'requestReconcile' | 'notifyOutput'>,
  lease: Lease,
  claim: Claim,
  run: (transaction: HostTransaction) => Promise<T>,
): Promise<T> {
  lease.assertHeld();
  const clusters = new Set<RecordName>();
  const outputs: OutputRef[] = [];
  const events: DomainEvent[] = [];
  const result = await ports.store.transaction(async records => {
    clusters.clear();
    outputs.length = 0;
    events.length = 0;
    const host = await records.hosts.lock(claim.host);
    if (!(await records.claims.lockIfCurrent(claim, lease.incarnation))) throw new ClaimLostError();
    const at = formatTimestamp(ports.clock.now());
    return run({
      records,
      host,
      nowMs: await records.nowMs(),
      at,
      emit: event => {
        events.push(event);
        return records.outbox.add([toOutboxEntry(event, LOCAL_ACTOR, at)]);
      },
      requestReconcile: cluster => clusters.add(cluster),
      notifyOutput: output => outputs.push(output),
    });
  });
  logEvents(ports, events);
  for (const cluster of clusters) ports.requestReconcile(cluster);
  for (const output of outputs) ports.notifyOutput(output);
  return result;
}

/** Only bootstrapped hosts are checked. A removed host without tasks leaves the host queue. */
export async function releaseClaim(
  { settings }: Pick<EnginePorts, 'settings'>,
  { records, host, nowMs }: Pick<HostTransaction, 'records' | 'host' | 'nowMs'>,
  claim: Claim,
  release: ClaimRelease,
): Promise<void> {
  if (host === undefined && (await records.tasks.getEarliestDue(claim.host)).dueAt === null) {
    await records.hostQueue.remove(claim.host);
    return;
  }
  const nextCheck = host && isBootstrapped(host.status) ? release.nextCheck : 'none';
  await records.claims.release(claim.host, { ...release, nextCheck }, nowMs, settings.checkIntervalMs);
}

export async function applyHostUpdate(
  { records, emit, at, requestReconcile }: Pick<HostTransaction, 'records' | 'emit' | 'at' | 'requestReconcile'>,
  host: Host,
  hostUpdate: HostUpdate,
): Promise<Host> {
  const { address, cluster } = host;
  const containerManager =
    (cluster === null ? undefined : await records.clusters.get(cluster))?.containerManager ?? null;
  // The host can have left the cluster after its registration. The task that deregisters it is then already saved.
  const isCurrentManager = hostUpdate.registeredWith !== undefined && hostUpdate.registeredWith === containerManager;
  const registeredWith = isCurrentManager ? containerManager : host.registeredWith;
  const membership = { cluster, containerManager, registeredWith };
  const status = hostUpdate.trigger ? nextStatus(host.status, hostUpdate.trigger, membership) : host.status;
  const reason = UNHEALTHY_STATUSES.includes(status) ? (hostUpdate.reason ?? host.reason) : '';
  const lastCheck = hostUpdate.checkResult !== undefined || hostUpdate.facts ? at : host.lastCheck;
  const withNewFacts = hostUpdate.facts ? withFacts(host, hostUpdate.facts, at) : host;
  const next: Host = { ...withNewFacts, registeredWith, status, reason, lastCheck };
  if (hostUpdate.checkResult) await records.hosts.updateAfterCheck(next, { at, result: hostUpdate.checkResult });
  else if (!isDeepStrictEqual(next, host)) await records.hosts.update(next);
  if (hostUpdate.hostKey !== undefined) await records.hostAccess.pinHostKey(address, hostUpdate.hostKey);
  if (hostUpdate.pendingHostKey !== undefined)
    await records.hostAccess.setPendingHostKey(address, hostUpdate.pendingHostKey);
  if (status !== host.status) {
    await records.hosts.setStatusSince(address, at);
    await emit(hostStatusEvent(host, status, { reason }));
    if (cluster !== null) requestReconcile(cluster);
  }
  return next;
}

/** Ignores updates from an older attempt or after the host has ended. */
async function updateOperationHost(
  { records, emit, requestReconcile }: Pick<HostTransaction, 'records' | 'emit' | 'requestReconcile'>,
  task: Pick<OperationTask, 'operation' | 'operationKind' | 'host' | 'cluster' | 'attempt'>,
  update: (current: OperationHost) => OperationHost,
): Promise<void> {
  const { operation, operationKind, cluster } = task;
  const current = await records.operationHosts.lock(operation, task.host);
  if (current?.attempt !== task.attempt || phaseGroupOf(current.phase) === 'ended') return;
  const next = update(current);
  if (next === current) return;
  await records.operationHosts.update(operation, next);
  const [state, previous] = [displayState(next), displayState(current)];
  const isReconcileDue =
    next.isStaged !== current.isStaged ||
    (next.awaitsRebootClearance && (!current.awaitsRebootClearance || current.clearedUntilMs !== null));
  if (state === previous && !isReconcileDue) return;
  if (state !== previous) await emit(operationHostEvent({ id: operation, cluster, kind: operationKind }, next));
  requestReconcile(cluster);
}

// The functions below record the progress of a task in its operation. They ignore tasks of other kinds.

export async function recordStepStarted(
  transaction: HostTransaction,
  task: Task,
  steps: TaskProcedure['steps'],
  state: TaskState,
): Promise<void> {
  if (!isOperationTask(task) || state.rollback) return;
  const phase = pendingSteps(steps, task, state)[0]?.phase;
  await updateOperationHost(transaction, task, operationHost => {
    const next = phase ? withPhase(operationHost, phase, transaction.at) : operationHost;
    const isCordoned = next.isCordoned && !isCordonSkipped(state);
    return isCordoned === next.isCordoned && next === operationHost ? operationHost : { ...next, isCordoned };
  });
}

export async function recordStepDelayed(
  transaction: HostTransaction,
  task: Task,
  delay: { readonly problem: string; readonly isUnresponsive: boolean; readonly awaitsRebootClearance: boolean },
): Promise<void> {
  if (!isOperationTask(task)) return;
  await updateOperationHost(transaction, task, operationHost => {
    const next = asDelayed(operationHost, delay);
    // The clearance has expired and must be requested again.
    if (delay.awaitsRebootClearance && operationHost.clearedUntilMs !== null) return { ...next, clearedUntilMs: null };
    const isSame =
      next.problem === operationHost.problem &&
      next.isUnreachable === operationHost.isUnreachable &&
      next.awaitsRebootClearance === operationHost.awaitsRebootClearance;
    return isSame ? operationHost : next;
  });
}

export async function recordTaskFinished(
  transaction: HostTransaction,
  task: Task,
  state: TaskState,
  { isNoop }: { readonly isNoop: boolean },
): Promise<HostUpdate> {
  if (!isOperationTask(task)) return {};
  const { at } = transaction;
  if (task.kind === 'stage') {
    const results: StepResult = Object.assign({}, ...Object.values(state.done));
    await updateOperationHost(transaction, task, operationHost => {
      if (!isNoop) return asStaged(operationHost, at, results);
      // An earlier attempt can have left the host cordoned or unhealthy, so it must be verified.
      return wasInFlight(operationHost)
        ? asStaged(operationHost, at, { ...results, ...VERIFY_ONLY })
        : asDone(operationHost, at, { wasNoop: true });
    });
    return {};
  }
  await updateOperationHost(transaction, task, operationHost => ({
    ...asDone(operationHost, at, { wasNoop: isVerifyOnly(task.stageResult) }),
    isCordoned: false,
  }));
  const bootId = verifiedBootId(state);
  return { trigger: 'became_reachable', checkResult: 'passed', ...(bootId !== undefined && { facts: { bootId } }) };
}

export async function recordHostRemoved(transaction: HostTransaction, task: Task): Promise<void> {
  if (!isOperationTask(task)) return;
  await updateOperationHost(transaction, task, operationHost =>
    asSkipped(operationHost, transaction.at, 'left_cluster'),
  );
}

export async function recordRolledBack(
  transaction: HostTransaction,
  task: Task,
  state: TaskState,
  { reason, problem }: Rollback,
): Promise<void> {
  if (!isOperationTask(task)) return;
  const { at } = transaction;
  const isUnlocked = isRelockFailed(state);
  await updateOperationHost(transaction, task, operationHost => {
    const isCordoned = operationHost.isCordoned && !isCordonRolledBack(state);
    const remaining = { ...operationHost, isCordoned };
    if (typeof reason === 'string') return asSkipped(remaining, at, reason, { isUnlocked });
    // A host that a user has skipped stays skipped when its task fails; the problem is recorded.
    if (operationHost.abortReason === 'by_hand') return asSkipped(remaining, at, 'by_hand', { isUnlocked, problem });
    // A host left cordoned keeps its slot, or the rollout could take all hosts out of service one by one.
    return asFailed(remaining, at, { problem, holdsSlot: reason.holdsSlot || isCordoned, isUnlocked });
  });
}
