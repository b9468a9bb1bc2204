// A host that enrols into a cluster is a member from the start; its bootstrap joins it.

import type { Cluster } from '../../domain/cluster.ts';
import { AppError } from '../../domain/errors.ts';
import { hostStatusEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped, isReady, nextStatus } from '../../domain/hosts/host-status.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { DriverRecordKind, HostStatus } from '../../domain/vocabulary.ts';
import { listSome } from '../../lib/text.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

const toAddresses = (hosts: readonly Host[]) => hosts.map(host => host.address);

export function checkCanJoin(cluster: Cluster, hosts: readonly Host[]): AppError | undefined {
  const inOtherCluster = hosts.filter(host => host.cluster !== null && host.cluster !== cluster.name);
  if (inOtherCluster.length > 0) {
    const otherClusters = listSome(inOtherCluster.map(host => `${host.address} (in ${host.cluster})`));
    return new AppError(
      'host_in_other_cluster',
      `these hosts are members of another cluster: ${otherClusters}; remove them from it first`,
    );
  }
  const notReady = hosts.filter(host => !isReady(host.status));
  if (notReady.length === 0) return undefined;
  const statusTexts = listSome(notReady.map(host => `${host.address} (${host.status})`));
  return new AppError('host_not_ready', `only active or disassociated hosts can join; not ready: ${statusTexts}`);
}

interface StatusChange {
  readonly host: Host;
  readonly to: HostStatus;
}

/** `registeredWith` is null, because hosts that join are not registered yet, and hosts that leave are being unregistered. */
const statusAfterJoin = (host: Host, { name: cluster, containerManager }: Cluster): StatusChange => ({
  host,
  to: nextStatus(host.status, 'membership_changed', { cluster, containerManager, registeredWith: null }),
});

const statusAfterLeave = (host: Host): StatusChange => ({
  host,
  to: nextStatus(host.status, 'membership_changed', { cluster: null, containerManager: null, registeredWith: null }),
});

async function saveStatuses(
  { records, emit, now }: UnitOfWork,
  cluster: Cluster,
  statusChanges: readonly StatusChange[],
): Promise<void> {
  const changed = statusChanges.filter(({ host, to }) => to !== host.status);
  for (const [status, group] of Map.groupBy(changed, statusChange => statusChange.to)) {
    await records.hosts.setStatus(toAddresses(group.map(statusChange => statusChange.host)), status, '', now());
  }
  await emit(changed.map(({ host, to }) => hostStatusEvent(host, to, { eventCluster: cluster.name })));
}

const joinTaskFactory =
  ({ name: cluster }: Cluster) =>
  ({ address: host, enrolment }: Host): Task => ({
    kind: 'join',
    host,
    enrolment,
    cluster,
  });

async function leaveTaskFactory(
  records: Repositories,
  { name: cluster, ...references }: Cluster,
): Promise<(host: Host) => Task> {
  const findRecord = async (kind: DriverRecordKind, name: RecordName | null) =>
    (name && (await records.driverRecords.get(kind, name))) || null;
  const network = await findRecord('network', references.network);
  const containerManager = await findRecord('container_manager', references.containerManager);
  return ({ address: host, enrolment, status, registeredWith }) => ({
    kind: 'leave',
    host,
    enrolment,
    cluster,
    network,
    containerManager,
    // A host that was never bootstrapped has no node of this service; a node at its address belongs to another system.
    mayBeNode: registeredWith !== null || isBootstrapped(status),
  });
}

/** The caller must hold the locks of the cluster and of all hosts. The records of `removed` hosts are deleted. */
export async function changeMembership(
  unit: UnitOfWork,
  cluster: Cluster,
  {
    joining = [],
    leaving = [],
    removed = [],
  }: { joining?: readonly Host[]; leaving?: readonly Host[]; removed?: readonly Host[] },
): Promise<void> {
  const { records, emit, createTasks } = unit;
  const allLeaving = [...leaving, ...removed];
  if (joining.length + allLeaving.length === 0) return;
  unit.requestReconcile(cluster.name);
  await records.hosts.setCluster(toAddresses(joining), cluster.name);
  await records.hosts.setCluster(toAddresses(leaving), null);
  await records.hosts.setRegisteredWith(toAddresses(leaving), null);
  await emit({
    type: 'cluster.members',
    subject: cluster.name,
    cluster: cluster.name,
    data: { joined: toAddresses(joining), left: toAddresses(allLeaving) },
  });
  await saveStatuses(unit, cluster, [
    ...joining.map(host => statusAfterJoin(host, cluster)),
    ...leaving.map(statusAfterLeave),
  ]);
  await createTasks(joining.map(joinTaskFactory(cluster)), allLeaving.map(await leaveTaskFactory(records, cluster)));
}

/** From the network and container manager of `before` to those of `after`. */
export async function reconfigureMembers(unit: UnitOfWork, before: Cluster, after: Cluster): Promise<void> {
  const { records, createTasks } = unit;
  const { items } = await records.hosts.listMemberAddresses(after.name);
  const members = await records.hosts.lockAll(items);
  if (before.containerManager !== after.containerManager) {
    await records.hosts.setRegisteredWith(toAddresses(members), null);
    await saveStatuses(
      unit,
      after,
      members.map(host => statusAfterJoin(host, after)),
    );
  }
  const [toLeaveTask, toJoinTask] = [await leaveTaskFactory(records, before), joinTaskFactory(after)];
  await createTasks(members.flatMap(host => [toLeaveTask(host), toJoinTask(host)]));
}
