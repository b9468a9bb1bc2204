import type { Actor } from '../../domain/accounts/account.ts';
import type { Cluster, ClusterWithCounts } from '../../domain/cluster.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { newId } from '../../lib/random.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import { operationRunning } from '../operations/read-operations.ts';
import type { Ports } from '../ports.ts';
import type { ExpectedRevision, PutResult } from '../unit-of-work.ts';
import { checkRevision, differentContent, runUnitOfWork } from '../unit-of-work.ts';
import { changeMembership, reconfigureMembers } from './membership.ts';
import { clusterNotFound } from './read-clusters.ts';

export interface ClusterRequest {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  readonly expected: ExpectedRevision | undefined;
}

/** Creates a cluster, accepts an identical one, or replaces the expected revision. */
export async function putCluster(
  ports: Ports,
  actor: Actor,
  { expected, ...settings }: ClusterRequest,
): Promise<PutResult<ClusterWithCounts> | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit } = unit;
    const desired: Cluster = { ...settings, revision: newId() };
    const missing = await lockReferencedRecords(records, desired);
    if (missing) return missing;
    const current = expected ? await records.clusters.lock(desired.name) : await records.clusters.insertOrLock(desired);
    const error = checkRevision(expected, current);
    if (error) return error;
    const eventFields = {
      subject: desired.name,
      cluster: desired.name,
      data: { network: desired.network, container_manager: desired.containerManager ?? '' },
    };
    if (current === undefined) {
      await emit({ type: 'cluster.created', ...eventFields });
      return { record: { ...desired, members: {} }, isNew: true };
    }
    const isUnchanged = current.network === desired.network && current.containerManager === desired.containerManager;
    if (!isUnchanged && expected === undefined) return differentContent(`the cluster ${desired.name}`);
    if (!isUnchanged) {
      const running = await records.operations.lockOpen(desired.name);
      if (running) return operationRunning(running);
      await records.clusters.update(desired);
      await emit({ type: 'cluster.changed', ...eventFields });
      await reconfigureMembers(unit, current, desired);
    }
    const members = await records.clusters.countMembers(desired.name);
    return { record: { ...(isUnchanged ? current : desired), members }, isNew: false };
  });
}

/** Prevents the removal of the network and the container manager until the cluster is committed. */
async function lockReferencedRecords(
  records: Repositories,
  { network, containerManager }: Cluster,
): Promise<AppError | undefined> {
  if ((await records.driverRecords.lock('network', network)) === undefined) {
    return new AppError('unknown_network', `the network ${network} does not exist; create it first`);
  }
  if (containerManager === null) return undefined;
  if ((await records.driverRecords.lock('container_manager', containerManager)) === undefined) {
    const detail = `the container manager ${containerManager} does not exist; create it first`;
    return new AppError('unknown_container_manager', detail);
  }
  return undefined;
}

/** The members stay enrolled, but leave the network and the container manager. */
export async function removeCluster(
  ports: Ports,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit } = unit;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return clusterNotFound(name);
    const error = checkRevision(expected, cluster);
    if (error) return error;
    const running = await records.operations.lockOpen(name);
    if (running) return operationRunning(running);
    const { items } = await records.hosts.listMemberAddresses(name);
    await changeMembership(unit, cluster, { leaving: await records.hosts.lockAll(items) });
    await records.clusterPolicies.remove(name);
    await records.operations.markClusterRemoved(name);
    await records.clusters.remove(name);
    await emit({ type: 'cluster.removed', subject: name, cluster: name });
    return undefined;
  });
}

export async function readPolicy({ store }: Ports, name: RecordName): Promise<PolicyInput | AppError> {
  if ((await store.reads.clusters.get(name)) === undefined) return clusterNotFound(name);
  return store.reads.clusterPolicies.get(name);
}

/** Running operations keep their policy. */
export async function setPolicy(
  ports: Ports,
  actor: Actor,
  { name, input }: { readonly name: RecordName; readonly input: PolicyInput },
): Promise<PolicyInput | AppError> {
  if (input.isDryRun !== undefined)
    return invalidBody({
      path: '/dry_run',
      message: 'is only allowed in the policy of an operation, not in the policy of a cluster',
    });
  // `upgrade` accepts every reboot mode, so only errors that apply to all kinds remain.
  const resolved = resolvePolicy('upgrade', { input, defaults: {}, hasManager: true });
  if (resolved instanceof AppError) return resolved;
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    if ((await records.clusters.lock(name)) === undefined) return clusterNotFound(name);
    await records.clusterPolicies.set(name, input);
    await emit({ type: 'cluster.policy_changed', subject: name, cluster: name });
    return input;
  });
}
