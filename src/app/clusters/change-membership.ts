// Where known hosts join and leave clusters: their status, the work that follows, and what is told of it.
// (A host that is enrolled into a cluster is a member from the start; bootstrapping brings it in.)

import type { Cluster } from '../../domain/cluster.ts';
import { AppError } from '../../domain/errors.ts';
import { hostStatusEvent } from '../../domain/events/status-events.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped, isReady, nextStatus } from '../../domain/hosts/host-status.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { DriverRecordKind, HostStatus } from '../../domain/vocabulary.ts';
import { someOf } from '../../lib/text/some-of.ts';
import type { Records } from '../../store/records.ts';
import type { Change } from '../change.ts';

const addressesOf = (hosts: readonly Host[]) => hosts.map(host => host.address);

/** Why these hosts may not join the cluster, if so. */
export function joinProblem(cluster: Cluster, hosts: readonly Host[]): AppError | undefined {
  const elsewhere = hosts.filter(host => host.cluster !== null && host.cluster !== cluster.name);
  if (elsewhere.length > 0) {
    const places = someOf(elsewhere.map(host => `${host.address} (in ${host.cluster})`));
    return new AppError(
      'host_in_other_cluster',
      `these hosts are members of another cluster: ${places}; remove them from it first`,
    );
  }
  const notReady = hosts.filter(host => !isReady(host.status));
  if (notReady.length === 0) return undefined;
  const states = someOf(notReady.map(host => `${host.address} (${host.status})`));
  return new AppError('host_not_ready', `only active or disassociated hosts can join; not ready: ${states}`);
}

interface Moved {
  readonly host: Host;
  readonly to: HostStatus;
}

/** Hosts that join or leave are registered nowhere; that comes later, or has to be undone. */
const joined = (host: Host, { name: cluster, containerManager }: Cluster): Moved => ({
  host,
  to: nextStatus(host.status, 'membership_changed', { cluster, containerManager, registeredWith: null }),
});

const left = (host: Host): Moved => ({
  host,
  to: nextStatus(host.status, 'membership_changed', {
    cluster: null,
    containerManager: null,
    registeredWith: null,
  }),
});

async function saveStatuses(
  { records, tell, now }: Change,
  cluster: Cluster,
  moves: readonly Moved[],
): Promise<void> {
  const changed = moves.filter(({ host, to }) => to !== host.status);
  for (const [status, group] of Map.groupBy(changed, move => move.to)) {
    await records.hosts.setStatus(addressesOf(group.map(move => move.host)), status, '', now());
  }
  await tell(changed.map(({ host, to }) => hostStatusEvent(host, to, { eventCluster: cluster.name })));
}

const joinWork =
  ({ name: cluster }: Cluster) =>
  ({ address: host, enrolment }: Host): Task => ({
    kind: 'join',
    host,
    enrolment,
    cluster,
  });

async function leaveWork(
  records: Records,
  { name: cluster, ...uses }: Cluster,
): Promise<(host: Host) => Task> {
  const recordOf = async (kind: DriverRecordKind, name: RecordName | null) =>
    (name && (await records.driverRecords.get(kind, name))) || null;
  const network = await recordOf('network', uses.network);
  const containerManager = await recordOf('container_manager', uses.containerManager);
  return ({ address: host, enrolment, status, registeredWith }) => ({
    kind: 'leave',
    host,
    enrolment,
    cluster,
    network,
    containerManager,
    // Nobody has ever been on a host that was not bootstrapped: a node at its address is somebody else's.
    mayBeNode: registeredWith !== null || isBootstrapped(status),
  });
}

/**
 * Changes the members of a cluster: hosts that join, that leave, and that leave because they are removed altogether.
 * The caller holds the locks of the cluster and of all these hosts.
 */
export async function changeMembership(
  under: Change,
  cluster: Cluster,
  {
    joining = [],
    leaving = [],
    removed = [],
  }: { joining?: readonly Host[]; leaving?: readonly Host[]; removed?: readonly Host[] },
): Promise<void> {
  const { records, tell, saveWork } = under;
  const gone = [...leaving, ...removed];
  if (joining.length + gone.length === 0) return;
  under.news(cluster.name);
  await records.hosts.setCluster(addressesOf(joining), cluster.name);
  await records.hosts.setCluster(addressesOf(leaving), null);
  await records.hosts.setRegisteredWith(addressesOf(leaving), null);
  await tell({
    type: 'cluster.members',
    subject: cluster.name,
    cluster: cluster.name,
    data: { joined: addressesOf(joining), left: addressesOf(gone) },
  });
  await saveStatuses(under, cluster, [...joining.map(host => joined(host, cluster)), ...leaving.map(left)]);
  await saveWork(joining.map(joinWork(cluster)), gone.map(await leaveWork(records, cluster)));
}

/** The cluster has other settings: its members stay, and leave the one network and container manager for the other. */
export async function resettleMembers(under: Change, before: Cluster, after: Cluster): Promise<void> {
  const { records, saveWork } = under;
  const { items } = await records.hosts.memberAddresses(after.name);
  const members = await records.hosts.lockAll(items);
  if (before.containerManager !== after.containerManager) {
    await records.hosts.setRegisteredWith(addressesOf(members), null);
    await saveStatuses(
      under,
      after,
      members.map(host => joined(host, after)),
    );
  }
  const [leave, join] = [await leaveWork(records, before), joinWork(after)];
  await saveWork(members.flatMap(host => [leave(host), join(host)]));
}
