import type { Address } from '../../domain/addresses/address.ts';
import { AppError, RetryTransaction } from '../../domain/errors.ts';
import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asSkipped, phaseGroupOf, withPhase } from '../../domain/rollout/operation-host.ts';
import type { PhaseGroup, SkipReason } from '../../domain/vocabulary.ts';
import { listSome } from '../../lib/text.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Tells in which state hosts of an operation are now. */
export const emitHostEvents = (
  { emit }: Pick<UnitOfWork, 'emit'>,
  operation: Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>,
  hosts: readonly OperationHost[],
): Promise<void> => emit(hosts.map(operationHost => operationHostEvent(operation, operationHost)));

/** Hosts that have left the cluster are not waited for any more, and none holds a slot. None of them is in flight. */
export async function skipDepartedHosts(
  unit: UnitOfWork,
  operation: ClusterOperation,
  departed: readonly OperationHost[],
): Promise<void> {
  const { records, now } = unit;
  const at = now();
  const skippedHosts = departed
    .filter(({ phase }) => phaseGroupOf(phase) !== 'ended')
    .map(operationHost => asSkipped(operationHost, at, 'left_cluster'));
  const freed = departed
    .filter(({ holdsSlot }) => holdsSlot)
    .map(operationHost => ({ ...operationHost, holdsSlot: false }));
  await records.tasks.deleteForOperation(
    operation.id,
    skippedHosts.map(({ host }) => host),
  );
  await records.operationHosts.updateAll(operation.id, [...skippedHosts, ...freed]);
  await emitHostEvents(unit, operation, skippedHosts);
}

// Hosts that are in an operation while something else is wanted of them.

const hostInOperation = ({ kind, id }: ClusterOperation, hosts: readonly Address[]) =>
  new AppError(
    'host_in_operation',
    `the ${kind} ${id} is working on ${listSome(hosts)}; wait, or skip the host in the operation first`,
  );

/** The parts that hosts have in an operation. */
async function findOperationHosts(
  records: Repositories,
  { id }: ClusterOperation,
  hosts: readonly Host[],
): Promise<readonly OperationHost[]> {
  const found = [];
  for (const { address, enrolment } of hosts) {
    const operationHost = await records.operationHosts.get(id, address);
    if (operationHost?.enrolment === enrolment) found.push(operationHost);
  }
  return found;
}

/**
 * Takes hosts that leave a cluster out of the operation on it, which the caller has locked. One in flight cannot leave; of the others none
 * is waited for any more, and none holds a slot.
 */
export async function skipLeavingHosts(
  unit: UnitOfWork,
  operation: ClusterOperation | undefined,
  leaving: readonly Host[],
): Promise<AppError | undefined> {
  if (operation === undefined || leaving.length === 0) return undefined;
  const { records, requestReconcile } = unit;
  const operationHosts = await findOperationHosts(records, operation, leaving);
  const inFlight = operationHosts
    .filter(({ phase }) => phaseGroupOf(phase) === 'in_flight')
    .map(({ host }) => host);
  if (inFlight.length > 0) return hostInOperation(operation, inFlight);
  await skipDepartedHosts(unit, operation, operationHosts);
  requestReconcile(operation.cluster);
  return undefined;
}

/** Locks the operation on the cluster of a host, if there is one, and then the host; they must still belong together. */
export async function lockHostWithOperation(
  records: Repositories,
  address: Address,
): Promise<{ host: Host | undefined; operation: ClusterOperation | undefined }> {
  const unlockedHost = await records.hosts.get(address);
  const operation = unlockedHost?.cluster
    ? await records.operations.lockOpen(unlockedHost.cluster)
    : undefined;
  const host = await records.hosts.lock(address);
  if (host?.cluster !== unlockedHost?.cluster) throw new RetryTransaction();
  return { host, operation };
}

/** Why a host cannot be bootstrapped now: it is in one operation or one bootstrap at a time. */
export async function checkHostNotInOperation(
  records: Repositories,
  operation: ClusterOperation | undefined,
  host: Host,
): Promise<AppError | undefined> {
  const [operationHost] = operation ? await findOperationHosts(records, operation, [host]) : [];
  if (!operation || !operationHost || !['preparing', 'in_flight'].includes(phaseGroupOf(operationHost.phase)))
    return undefined;
  return hostInOperation(operation, [host.address]);
}

/**
 * Has an operation leave a host alone that people take out of service. One in flight is left to come to its end first; one that is being prepared
 * begins anew when it is back.
 */
export async function resetForMaintenance(
  unit: UnitOfWork,
  operation: ClusterOperation | undefined,
  host: Host,
): Promise<AppError | undefined> {
  const { records, now } = unit;
  const [operationHost] = operation ? await findOperationHosts(records, operation, [host]) : [];
  if (!operation || !operationHost) return undefined;
  if (phaseGroupOf(operationHost.phase) === 'in_flight') return hostInOperation(operation, [host.address]);
  if (phaseGroupOf(operationHost.phase) !== 'preparing' || operationHost.isStaged) return undefined;
  await records.tasks.deleteForOperation(operation.id, [host.address]);
  const resetHost = withPhase(operationHost, 'pending', now());
  await records.operationHosts.update(operation.id, resetHost);
  await emitHostEvents(unit, operation, [resetHost]);
  return undefined;
}

/**
 * One that is in flight is put in order by its work; one that has come to its end has nothing left to be skipped. A failure is taken back by
 * people only, who mean this host.
 */
const canSkip = ({ phase }: OperationHost, reason: SkipReason): boolean =>
  (phase === 'failed' && reason === 'by_hand') || ['waiting', 'preparing'].includes(phaseGroupOf(phase));

const addressesInGroup = (operationHosts: readonly OperationHost[], group: PhaseGroup): readonly Address[] =>
  operationHosts.filter(({ phase }) => phaseGroupOf(phase) === group).map(({ host }) => host);

/** Takes hosts out of an operation that is locked: at once, or, where they are in flight, as soon as they are in order. */
export async function markHostsSkipped(
  unit: UnitOfWork,
  operation: ClusterOperation,
  hosts: readonly OperationHost[],
  reason: SkipReason,
): Promise<void> {
  const { records, now } = unit;
  const { id } = operation;
  const nowMs = await records.nowMs();
  const inFlight = addressesInGroup(hosts, 'in_flight');
  // As turns lock them: the agenda, the work, and what is recorded of the host.
  await records.hostQueue.runTasksNow(inFlight, nowMs);
  await records.tasks.runNow(id, inFlight, nowMs);
  await records.tasks.deleteForOperation(id, addressesInGroup(hosts, 'preparing'));
  // As they are now: their work may have gone on until a moment ago.
  const operationHosts = await records.operationHosts.lockAll(
    id,
    hosts.map(({ host }) => host),
  );
  const at = now();
  const skippedHosts = operationHosts
    .filter(each => canSkip(each, reason))
    .map(each => asSkipped(each, at, reason));
  await records.operationHosts.updateAll(id, skippedHosts);
  await records.operationHosts.setAbortReason(id, addressesInGroup(operationHosts, 'in_flight'), reason);
  await emitHostEvents(unit, operation, skippedHosts);
}
