import { isDeepStrictEqual } from 'node:util';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import type { DomainEvent } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { OutputRef } from '../domain/events/signal.ts';
import { hostStatusEvent } from '../domain/events/status-events.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import { isBootstrapped, nextStatus } from '../domain/hosts/host-status.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Claim, ClaimRelease } from '../domain/tasks/host-queue.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { UNHEALTHY_STATUSES } from '../domain/vocabulary.ts';
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
  /** UTC time of this server as a timestamp text, used in records and events. */
  readonly at: string;
  emit(event: DomainEvent): Promise<void>;
  requestReconcile(cluster: RecordName): void;
  notifyOutput(output: OutputRef): void;
}

/** Runs a transaction on a host. Throws `ClaimLostError` if another server has claimed the host since. */
export async function withClaimedHost<T>(
  { store, clock, reconcileQueue, notifyOutput }: Pick<RunPorts, 'store' | 'clock' | 'reconcileQueue' | 'notifyOutput'>,
  lease: Lease,
  claim: Claim,
  run: (change: HostTransaction) => Promise<T>,
): Promise<T> {
  lease.assertHeld();
  const clusters = new Set<RecordName>();
  const outputs: OutputRef[] = [];
  const result = await store.transaction(async records => {
    clusters.clear();
    outputs.length = 0;
    const host = await records.hosts.lock(claim.host);
    if (!(await records.claims.lockIfCurrent(claim, lease.incarnation))) throw new ClaimLostError();
    const at = formatTimestamp(clock.now());
    return run({
      records,
      host,
      nowMs: await records.nowMs(),
      at,
      emit: event => records.outbox.add([toOutboxEntry(event, LOCAL_ACTOR, at)]),
      requestReconcile: cluster => clusters.add(cluster),
      notifyOutput: output => outputs.push(output),
    });
  });
  for (const cluster of clusters) reconcileQueue.enqueue(cluster);
  for (const output of outputs) notifyOutput(output);
  return result;
}

/**
 * Releases the claim and sets the next due times. Only bootstrapped hosts are checked. A removed host without
 * tasks leaves the host queue.
 */
export async function releaseClaim(
  { settings }: Pick<EnginePorts, 'settings'>,
  { records, host, nowMs }: Pick<HostTransaction, 'records' | 'host' | 'nowMs'>,
  claim: Claim,
  release: ClaimRelease,
): Promise<void> {
  if (host === undefined && (await records.tasks.getEarliestDue(claim.host)) === null) {
    await records.hostQueue.remove(claim.host);
    return;
  }
  const check = host && isBootstrapped(host.status) ? release.check : 'none';
  await records.claims.release(claim.host, { ...release, check }, nowMs, settings.checkIntervalMs);
}

export async function applyHostUpdate(
  { records, emit, at, requestReconcile }: Pick<HostTransaction, 'records' | 'emit' | 'at' | 'requestReconcile'>,
  host: Host,
  hostUpdate: HostUpdate,
): Promise<Host> {
  const { address, cluster } = host;
  const containerManager =
    (cluster === null ? undefined : await records.clusters.get(cluster))?.containerManager ?? null;
  // The host can have left the cluster after its registration. The task that deregisters it is then already
  // saved.
  const isCurrentManager = hostUpdate.registeredWith !== undefined && hostUpdate.registeredWith === containerManager;
  const registeredWith = isCurrentManager ? containerManager : host.registeredWith;
  const membership = { cluster, containerManager, registeredWith };
  const status = hostUpdate.trigger ? nextStatus(host.status, hostUpdate.trigger, membership) : host.status;
  const reason = UNHEALTHY_STATUSES.includes(status) ? (hostUpdate.reason ?? host.reason) : '';
  const lastCheck = hostUpdate.check !== undefined || hostUpdate.facts ? at : host.lastCheck;
  const next: Host = { ...host, ...hostUpdate.facts, registeredWith, status, reason, lastCheck };
  if (hostUpdate.check) await records.hosts.updateAfterCheck(next, { at, result: hostUpdate.check });
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
