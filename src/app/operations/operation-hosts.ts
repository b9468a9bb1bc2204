import type { Address } from '../../domain/addresses/address.ts';
import { AppError, RetryTransaction } from '../../domain/errors.ts';
import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asSkipped, phaseGroupOf, withPhase } from '../../domain/rollout/operation-host.ts';
import type { AbortReason, PhaseGroup } from '../../domain/vocabulary.ts';
import { listSome } from '../../lib/text.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export const emitHostEvents = (
  { emit }: Pick<UnitOfWork, 'emit'>,
  operation: Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>,
  hosts: readonly OperationHost[],
): Promise<void> => emit(hosts.map(operationHost => operationHostEvent(operation, operationHost)));

/** Frees their slots. None of the hosts may be in flight. */
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

const hostInOperation = ({ kind, id }: ClusterOperation, hosts: readonly Address[]) =>
  new AppError(
    'host_in_operation',
    `the ${kind} ${id} is working on ${listSome(hosts)}; wait, or skip the host in the operation first`,
  );

/** Ignores hosts that were enrolled again since the operation started. */
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

/** Returns an error if a host is in flight. The caller must have locked the operation. */
export async function skipLeavingHosts(
  unit: UnitOfWork,
  operation: ClusterOperation | undefined,
  leaving: readonly Host[],
): Promise<AppError | undefined> {
  if (operation === undefined || leaving.length === 0) return undefined;
  const { records, requestReconcile } = unit;
  const operationHosts = await findOperationHosts(records, operation, leaving);
  const inFlight = operationHosts.filter(({ phase }) => phaseGroupOf(phase) === 'in_flight').map(({ host }) => host);
  if (inFlight.length > 0) return hostInOperation(operation, inFlight);
  await skipDepartedHosts(unit, operation, operationHosts);
  requestReconcile(operation.cluster);
  return undefined;
}

/** Lock order: operation, host. Retries if the host moved to another cluster in between. */
export async function lockHostWithOperation(
  records: Repositories,
  address: Address,
): Promise<{ host: Host | undefined; operation: ClusterOperation | undefined }> {
  const unlockedHost = await records.hosts.get(address);
  const operation = unlockedHost?.cluster ? await records.operations.lockOpen(unlockedHost.cluster) : undefined;
  const host = await records.hosts.lock(address);
  if (host?.cluster !== unlockedHost?.cluster) throw new RetryTransaction();
  return { host, operation };
}

/** A host runs one operation or one bootstrap at a time. */
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

/** The preparation starts again after the maintenance. Returns an error if the host is in flight. */
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

/** The task of a host in flight skips it after cleanup. Only an explicit skip by a user can replace a failure. */
const canSkip = ({ phase }: OperationHost, reason: AbortReason): boolean =>
  (phase === 'failed' && reason === 'by_hand') || ['waiting', 'preparing'].includes(phaseGroupOf(phase));

const addressesInGroup = (operationHosts: readonly OperationHost[], group: PhaseGroup): readonly Address[] =>
  operationHosts.filter(({ phase }) => phaseGroupOf(phase) === group).map(({ host }) => host);

/** At once, or after cleanup if the host is in flight. The caller must have locked the operation. */
export async function markHostsSkipped(
  unit: UnitOfWork,
  operation: ClusterOperation,
  hosts: readonly OperationHost[],
  reason: AbortReason,
): Promise<void> {
  const { records, now } = unit;
  const { id } = operation;
  const nowMs = await records.nowMs();
  const inFlight = addressesInGroup(hosts, 'in_flight');
  // Lock order of task runs: host queue, tasks, operation hosts.
  await records.tasks.runNow(id, inFlight, nowMs);
  await records.tasks.deleteForOperation(id, addressesInGroup(hosts, 'preparing'));
  // Tasks may have progressed until the locks were taken.
  const operationHosts = await records.operationHosts.lockAll(
    id,
    hosts.map(({ host }) => host),
  );
  const at = now();
  const skippedHosts = operationHosts.filter(host => canSkip(host, reason)).map(host => asSkipped(host, at, reason));
  await records.operationHosts.updateAll(id, skippedHosts);
  await records.operationHosts.setAbortReason(id, addressesInGroup(operationHosts, 'in_flight'), reason);
  await emitHostEvents(unit, operation, skippedHosts);
}
