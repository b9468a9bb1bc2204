// The one place where hosts join and leave clusters: their status, the work that follows, and what is told of it.

import type { Actor } from '../../domain/actor.ts';
import type { Cluster } from '../../domain/cluster.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/host.ts';
import { isReadyToJoin, statusAfterJoining, statusAfterLeaving } from '../../domain/host-status.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Work } from '../../domain/work.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Records } from '../../store/records.ts';
import type { Happening } from '../tell.ts';
import { tell } from '../tell.ts';

const NAMED_AT_MOST = 10;

/** Some of the addresses, for a message. */
export const someOf = (addresses: readonly string[]): string =>
  addresses.length <= NAMED_AT_MOST
    ? addresses.join(', ')
    : `${addresses.slice(0, NAMED_AT_MOST).join(', ')} and ${addresses.length - NAMED_AT_MOST} more`;

/** Why these hosts may not join the cluster, if so. */
export function joinProblem(cluster: Cluster, hosts: readonly Host[]): Refusal | undefined {
  const elsewhere = hosts.filter(host => host.cluster !== null && host.cluster !== cluster.name);
  if (elsewhere.length > 0) {
    const places = elsewhere.map(host => `${host.address} (in ${host.cluster})`);
    return new Refusal(
      'host_in_other_cluster',
      `in another cluster already: ${someOf(places)}; take them out of it first`,
    );
  }
  const notReady = hosts.filter(host => !isReadyToJoin(host.status));
  if (notReady.length === 0) return undefined;
  const states = notReady.map(host => `${host.address} (${host.status})`);
  return new Refusal(
    'host_not_ready',
    `only active or disassociated hosts can join; not ready: ${someOf(states)}`,
  );
}

const leaveWork = (cluster: Cluster, host: Host): Work => ({
  kind: 'leave',
  host: host.address,
  cluster: cluster.name,
  network: cluster.network,
  containerManager: cluster.containerManager,
});

/** Changes the members of a cluster. The caller holds the locks of the cluster and of all these hosts. */
export async function changeMembership(
  { records, clock, actor }: { records: Records; clock: Clock; actor: Actor },
  cluster: Cluster,
  { joining, leaving }: { joining: readonly Host[]; leaving: readonly Host[] },
): Promise<void> {
  if (joining.length + leaving.length === 0) return;
  const hasContainerManager = cluster.containerManager !== null;
  const addresses = (hosts: readonly Host[]) => hosts.map(host => host.address);
  await records.hosts.setCluster(addresses(joining), cluster.name);
  await records.hosts.setCluster(addresses(leaving), null);
  await records.work.save(
    [
      ...joining.map((host): Work => ({ kind: 'join', host: host.address, cluster: cluster.name })),
      ...leaving.map(host => leaveWork(cluster, host)),
    ],
    formatTimestamp(clock.now()),
  );

  const activated = joining.filter(
    host => statusAfterJoining(host.status, { hasContainerManager }) !== host.status,
  );
  const disassociated = leaving.filter(host => statusAfterLeaving(host.status) !== host.status);
  await records.hosts.setStatus(addresses(activated), 'active');
  await records.hosts.setStatus(addresses(disassociated), 'disassociated');
  const statusChange =
    (status: string) =>
    (host: Host): Happening => ({
      type: 'host.status',
      subject: host.address,
      host: host.address,
      cluster: cluster.name,
      data: { from: host.status, to: status },
    });
  await tell(records, clock, actor, [
    {
      type: 'cluster.members',
      subject: cluster.name,
      cluster: cluster.name,
      data: { joined: addresses(joining), left: addresses(leaving) },
    },
    ...activated.map(statusChange('active')),
    ...disassociated.map(statusChange('disassociated')),
  ]);
}
