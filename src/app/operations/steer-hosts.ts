// What people may ask of hosts of an operation: to be tried again, or to be left alone.

import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { assessmentAfterResume, isManuallyPaused, isOperationOpen } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asRetried, asSkipped, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import { someOf } from '../../lib/text/some-of.ts';
import type { Records } from '../../store/records.ts';
import type { Change } from '../change.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { leaveOut } from './leave-out.ts';
import { operationRunning } from './read-operations.ts';
import { skipEach } from './skip-each.ts';
import { setStanding, steer } from './steer-operation.ts';
import { tellHosts } from './tell-hosts.ts';

interface OfHosts {
  readonly id: string;
  /** `undefined`: all that have failed. */
  readonly hosts: readonly Address[] | undefined;
}

/** The hosts that are meant; those that are not in the plan apart. */
async function meant(
  records: Records,
  id: string,
  hosts: OfHosts['hosts'],
): Promise<{ planned: readonly OperationHost[]; others: readonly Address[] }> {
  if (hosts === undefined)
    return { planned: await records.operationHosts.inPhases(id, ['failed']), others: [] };
  const named = [...new Set(hosts)];
  const planned = await records.operationHosts.among(id, named);
  const isPlanned = new Set(planned.map(({ host }) => host));
  return { planned, others: named.filter(host => !isPlanned.has(host)) };
}

/** Refuses hosts that are neither in the plan nor in the cluster. */
async function strangersAmong(
  records: Records,
  { id, cluster }: ClusterOperation,
  others: readonly Address[],
): Promise<AppError | undefined> {
  const members = new Set((await records.hosts.members(cluster)).map(one => one.address));
  const strangers = others.filter(host => !members.has(host));
  return strangers.length > 0
    ? new AppError(
        'not_found',
        `these hosts are neither in the operation ${id} nor in its cluster: ${someOf(strangers)}`,
      )
    : undefined;
}

const notPossibleNow = (what: string, hosts: readonly { readonly host: Address }[]) =>
  new AppError('invalid_state', `${what}: ${someOf(hosts.map(({ host }) => host))}`);

/**
 * A failure that was forgiven and is retried allows no further failure. Who retries a stopped operation, or skips hosts of it, has seen the
 * failures that are left: further hosts are started despite them. They are not accepted by that. A restored operation waits for `resume`.
 */
async function failuresNow(
  records: Records,
  operation: ClusterOperation,
): Promise<Pick<ClusterOperation, 'acknowledgedFailures' | 'acceptedFailures'>> {
  const { id, state, pause, acknowledgedFailures, acceptedFailures } = operation;
  const { failed = 0 } = await records.operationHosts.counts(id);
  const isSeen = state === 'failed' || pause === 'failures';
  return {
    acknowledgedFailures: isSeen ? failed : Math.min(acknowledgedFailures, failed),
    acceptedFailures: Math.min(acceptedFailures, failed),
  };
}

export interface RetryRequest extends OfHosts {
  /** Members to leave out first. Default: none. */
  readonly exclude?: readonly Address[];
}

/** Leaves members out: hosts of the plan are skipped, and no excluded member uses the budget until it is active again. */
async function excludeMembers(
  under: Change,
  operation: ClusterOperation,
  exclude: readonly Address[],
): Promise<ClusterOperation | AppError> {
  if (exclude.length === 0) return operation;
  const { records, now } = under;
  const { planned, others } = await meant(records, operation.id, exclude);
  const refusal = await strangersAmong(records, operation, others);
  if (refusal) return refusal;
  const busy = planned.filter(({ phase }) => phase === 'done' || phaseGroupOf(phase) === 'in_flight');
  if (busy.length > 0)
    return notPossibleNow('these hosts are done or in flight and cannot be excluded', busy);
  const open = planned.filter(({ phase }) => phase !== 'skipped');
  await records.work.dropOf(
    operation.id,
    open.map(({ host }) => host),
  );
  const excluded = open.map(one => asSkipped(one, now(), 'unhealthy'));
  await records.operationHosts.updateAll(operation.id, excluded);
  await tellHosts(under, operation, excluded);
  return { ...operation, ignoredHosts: [...new Set([...operation.ignoredHosts, ...exclude])] };
}

/**
 * Retries failed hosts, each as another attempt, and continues with pending ones. A failed operation runs again. A failed host that has left
 * the cluster still counts as failed.
 */
export async function retryHosts(ports: Ports, actor: Actor, { id, hosts, exclude = [] }: RetryRequest) {
  return change(ports, actor, async under => {
    const { records, now } = under;
    const steered = await steer(records, id, 'retry');
    if (steered instanceof AppError) return steered;
    const other = isOperationOpen(steered.operation)
      ? undefined
      : await records.operations.openIn(steered.operation.cluster);
    if (other) return operationRunning(other);
    const operation = await excludeMembers(under, steered.operation, exclude);
    if (operation instanceof AppError) return operation;
    const { planned, others } = await meant(records, id, hosts);
    if (others.length > 0)
      return new AppError('not_found', `these hosts are not in the operation ${id}: ${someOf(others)}`);
    const sound = planned.filter(({ phase }) => phase !== 'failed');
    if (sound.length > 0) return notPossibleNow('these hosts have not failed and cannot be retried', sound);
    const members = new Map((await records.hosts.members(operation.cluster)).map(one => [one.address, one]));
    const isThere = ({ host, enrolment }: OperationHost) => members.get(host)?.enrolment === enrolment;
    const gone = planned.filter(host => !isThere(host));
    if (hosts !== undefined && gone.length > 0)
      return notPossibleNow('these hosts left the cluster and cannot be retried', gone);
    // Some may have left while the operation was over.
    const left = await records.operationHosts.inPhases(id, ['pending', 'staging', 'failed']);
    await leaveOut(
      under,
      operation,
      left.filter(host => !isThere(host)),
    );
    const at = now();
    const again = planned.filter(isThere).map(one => asRetried(one, at));
    const continued = left.filter(host => host.phase !== 'failed' && isThere(host));
    // Nothing can be retried: the operation stays as it was.
    if (again.length + continued.length === 0 && exclude.length === 0) return operation;
    await records.operationHosts.updateAll(id, again);
    await records.operationHosts.clearBlocked(id);
    await tellHosts(under, operation, again);
    const standing = {
      ...goingOn(operation),
      ...(await failuresNow(records, operation)),
      ...{ blockedSinceMs: null, assessment: assessmentAfterResume(operation) },
    };
    return setStanding(under, operation, { ...operation, ...standing });
  });
}

/** Who has paused it by hand has to resume it by hand. */
const goingOn = ({ state, pause }: ClusterOperation) =>
  state === 'paused' && isManuallyPaused({ pause })
    ? ({ state, pause, finishedAt: null } as const)
    : ({ state: 'running', pause: null, problem: '', finishedAt: null } as const);

/** With those that are out of service now: they are not waited for until they are active again. */
async function ignoredWith(
  records: Records,
  { id, ignoredHosts }: ClusterOperation,
  hosts: readonly Address[],
): Promise<readonly Address[]> {
  const planned = await records.operationHosts.among(id, hosts);
  const inFlight = planned.filter(({ phase }) => phaseGroupOf(phase) === 'in_flight').map(({ host }) => host);
  const isWell = new Set(await records.hosts.inService(hosts));
  return [...new Set([...ignoredHosts, ...inFlight, ...hosts.filter(host => !isWell.has(host))])];
}

/** Leaves hosts alone from now on. What is in flight is put in order first; a member that is in the way is not waited for any more. */
export async function skipHosts(ports: Ports, actor: Actor, { id, hosts }: OfHosts) {
  return change(ports, actor, async under => {
    const { records } = under;
    const steered = await steer(records, id, 'skip');
    if (steered instanceof AppError) return steered;
    const { operation } = steered;
    const { planned, others } = await meant(records, id, hosts);
    const refusal = await strangersAmong(records, operation, others);
    if (refusal) return refusal;
    const done = planned.filter(({ phase }) => phase === 'done');
    if (done.length > 0) return notPossibleNow('these hosts are done and cannot be skipped', done);
    await skipEach(under, operation, planned, 'by_hand');
    const isPausedForThem = operation.pause === 'budget' || operation.pause === 'failures';
    const resumed = isPausedForThem ? ({ state: 'running', pause: null, problem: '' } as const) : {};
    const ignoredHosts = await ignoredWith(records, operation, [
      ...others,
      ...planned.map(({ host }) => host),
    ]);
    await records.operationHosts.clearBlocked(id);
    const standing = {
      ...{ ...resumed, ignoredHosts, blockedSinceMs: null, assessment: assessmentAfterResume(operation) },
      ...(await failuresNow(records, operation)),
    };
    return setStanding(under, operation, { ...operation, ...standing });
  });
}
