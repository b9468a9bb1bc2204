import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { assessmentAfterResume, isManuallyPaused, isOperationOpen } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asRetried, asSkipped, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import { listSome } from '../../lib/text.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { Ports } from '../ports.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { lockForAction, updateOperationStatus } from './control-operation.ts';
import { emitHostEvents, markHostsSkipped, skipDepartedHosts } from './operation-hosts.ts';
import { operationRunning } from './read-operations.ts';

interface HostSelection {
  readonly id: string;
  /** Undefined: all failed hosts. */
  readonly hosts: readonly Address[] | undefined;
}

/** `others`: not in the operation. */
async function selectOperationHosts(
  records: Repositories,
  id: string,
  hosts: HostSelection['hosts'],
): Promise<{ operationHosts: readonly OperationHost[]; others: readonly Address[] }> {
  if (hosts === undefined)
    return { operationHosts: await records.operationHosts.listByPhase(id, ['failed']), others: [] };
  const requested = [...new Set(hosts)];
  const operationHosts = await records.operationHosts.getMany(id, requested);
  const inOperation = new Set(operationHosts.map(({ host }) => host));
  return { operationHosts, others: requested.filter(host => !inOperation.has(host)) };
}

async function checkHostsInCluster(
  records: Repositories,
  { id, cluster }: ClusterOperation,
  others: readonly Address[],
): Promise<AppError | undefined> {
  const members = new Set((await records.hosts.listMembers(cluster)).map(member => member.address));
  const unknownHosts = others.filter(host => !members.has(host));
  return unknownHosts.length > 0
    ? new AppError(
        'not_found',
        `these hosts are neither in the operation ${id} nor in its cluster: ${listSome(unknownHosts)}`,
      )
    : undefined;
}

const invalidHostState = (rule: string, hosts: readonly { readonly host: Address }[]) =>
  new AppError('invalid_state', `${rule}: ${listSome(hosts.map(({ host }) => host))}`);

/**
 * After a retry or skip:
 * - An acknowledged failure that is retried does not allow a further failure.
 * - The remaining failures of a stopped operation are acknowledged, so further hosts start, but not accepted.
 * - A restored operation waits for `resume`.
 */
async function currentFailures(
  records: Repositories,
  operation: ClusterOperation,
): Promise<Pick<ClusterOperation, 'acknowledgedFailures' | 'acceptedFailures'>> {
  const { id, state, pause, acknowledgedFailures, acceptedFailures } = operation;
  const { failed = 0 } = await records.operationHosts.countByState(id);
  const isAcknowledged = state === 'failed' || pause === 'failures';
  return {
    acknowledgedFailures: isAcknowledged ? failed : Math.min(acknowledgedFailures, failed),
    acceptedFailures: Math.min(acceptedFailures, failed),
  };
}

export interface RetryRequest extends HostSelection {
  readonly exclude?: readonly Address[];
}

/** The members do not use the budget until they are active again. */
async function excludeMembers(
  unit: UnitOfWork,
  operation: ClusterOperation,
  exclude: readonly Address[],
): Promise<ClusterOperation | AppError> {
  if (exclude.length === 0) return operation;
  const { records, now } = unit;
  const selected = await selectOperationHosts(records, operation.id, exclude);
  const error = await checkHostsInCluster(records, operation, selected.others);
  if (error) return error;
  const open = selected.operationHosts
    .filter(({ phase }) => phase !== 'skipped' && phase !== 'done' && phaseGroupOf(phase) !== 'in_flight')
    .map(({ host }) => host);
  await records.tasks.deleteForOperation(operation.id, open);
  // Tasks may have progressed until the locks were taken.
  const operationHosts = await records.operationHosts.lockAll(
    operation.id,
    selected.operationHosts.map(({ host }) => host),
  );
  const busy = operationHosts.filter(({ phase }) => phase === 'done' || phaseGroupOf(phase) === 'in_flight');
  if (busy.length > 0) return invalidHostState('these hosts are done or in flight and cannot be excluded', busy);
  const excluded = operationHosts
    .filter(({ phase }) => phase !== 'skipped')
    .map(host => asSkipped(host, now(), 'unhealthy'));
  await records.operationHosts.updateAll(operation.id, excluded);
  await emitHostEvents(unit, operation, excluded);
  return { ...operation, ignoredHosts: [...new Set([...operation.ignoredHosts, ...exclude])] };
}

/** Also continues with pending hosts. A failed host that left the cluster still counts as failed. */
export async function retryHosts(ports: Ports, actor: Actor, { id, hosts, exclude = [] }: RetryRequest) {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, now } = unit;
    const locked = await lockForAction(records, id, 'retry');
    if (locked instanceof AppError) return locked;
    const other = isOperationOpen(locked.operation)
      ? undefined
      : await records.operations.getOpen(locked.operation.cluster);
    if (other) return operationRunning(other);
    const operation = await excludeMembers(unit, locked.operation, exclude);
    if (operation instanceof AppError) return operation;
    const { operationHosts, others } = await selectOperationHosts(records, id, hosts);
    if (others.length > 0)
      return new AppError('not_found', `these hosts are not in the operation ${id}: ${listSome(others)}`);
    const notFailed = operationHosts.filter(({ phase }) => phase !== 'failed');
    if (notFailed.length > 0) return invalidHostState('these hosts have not failed and cannot be retried', notFailed);
    const members = new Map((await records.hosts.listMembers(operation.cluster)).map(host => [host.address, host]));
    const isMember = ({ host, enrolment }: OperationHost) => members.get(host)?.enrolment === enrolment;
    const departed = operationHosts.filter(host => !isMember(host));
    if (hosts !== undefined && departed.length > 0)
      return invalidHostState('these hosts left the cluster and cannot be retried', departed);
    // Hosts may have left the cluster while the operation was stopped.
    const remaining = await records.operationHosts.listByPhase(id, ['pending', 'staging', 'failed']);
    await skipDepartedHosts(
      unit,
      operation,
      remaining.filter(host => !isMember(host)),
    );
    const at = now();
    const retriedHosts = operationHosts.filter(isMember).map(host => asRetried(host, at));
    const continued = remaining.filter(host => host.phase !== 'failed' && isMember(host));
    if (retriedHosts.length + continued.length === 0 && exclude.length === 0) return operation;
    await records.operationHosts.updateAll(id, retriedHosts);
    await records.operationHosts.clearBlocked(id);
    await emitHostEvents(unit, operation, retriedHosts);
    const status = {
      ...statusAfterRetry(operation),
      ...(await currentFailures(records, operation)),
      blockedSinceMs: null,
      assessment: assessmentAfterResume(operation),
    };
    return updateOperationStatus(unit, operation, { ...operation, ...status });
  });
}

/** A manual pause needs a manual resume. */
const statusAfterRetry = ({ state, pause }: ClusterOperation) =>
  state === 'paused' && isManuallyPaused({ pause })
    ? ({ state, pause, finishedAt: null } as const)
    : ({ state: 'running', pause: null, problem: '', finishedAt: null } as const);

/** Hosts in flight or unavailable: the operation does not wait for them until they are active again. */
async function addIgnoredHosts(
  records: Repositories,
  { id, ignoredHosts }: ClusterOperation,
  hosts: readonly Address[],
): Promise<readonly Address[]> {
  const operationHosts = await records.operationHosts.getMany(id, hosts);
  const inFlight = operationHosts.filter(({ phase }) => phaseGroupOf(phase) === 'in_flight').map(({ host }) => host);
  const available = new Set(await records.hosts.filterAvailable(hosts));
  return [...new Set([...ignoredHosts, ...inFlight, ...hosts.filter(host => !available.has(host))])];
}

/** Hosts in flight are skipped after cleanup. */
export async function skipHosts(ports: Ports, actor: Actor, { id, hosts }: HostSelection) {
  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const locked = await lockForAction(records, id, 'skip');
    if (locked instanceof AppError) return locked;
    const { operation } = locked;
    const { operationHosts, others } = await selectOperationHosts(records, id, hosts);
    const error = await checkHostsInCluster(records, operation, others);
    if (error) return error;
    const done = operationHosts.filter(({ phase }) => phase === 'done');
    if (done.length > 0) return invalidHostState('these hosts are done and cannot be skipped', done);
    await markHostsSkipped(unit, operation, operationHosts, 'by_hand');
    const isPausedByHosts = operation.pause === 'budget' || operation.pause === 'failures';
    const resumedStatus = isPausedByHosts ? ({ state: 'running', pause: null, problem: '' } as const) : {};
    const ignoredHosts = await addIgnoredHosts(records, operation, [
      ...others,
      ...operationHosts.map(({ host }) => host),
    ]);
    await records.operationHosts.clearBlocked(id);
    const status = {
      ...resumedStatus,
      ignoredHosts,
      blockedSinceMs: null,
      assessment: assessmentAfterResume(operation),
      ...(await currentFailures(records, operation)),
    };
    return updateOperationStatus(unit, operation, { ...operation, ...status });
  });
}
