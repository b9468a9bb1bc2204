import type { Address } from '../../domain/address.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/host.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { memoryScope } from '../driver-records/memory-scope.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

export type NodeStatus =
  | {
      readonly ready: boolean;
      readonly schedulable: boolean;
      readonly name: string;
      readonly reportedAt: string;
    }
  | { readonly reason: string };

export interface HostStatusReport {
  readonly host: Host;
  /** Absent when the host's cluster has no container manager. */
  readonly containerManager?: { readonly type: string; readonly node: NodeStatus };
}

/** How a host is, and how its container manager says that it is. */
export async function readHostStatus(ports: Ports, address: Address): Promise<HostStatusReport | Refusal> {
  const { records } = ports.store;
  const host = await records.hosts.get(address);
  if (host === undefined) return unknownHost(address);
  const cluster = host.cluster === null ? undefined : await records.clusters.get(host.cluster);
  if (!cluster?.containerManager) return { host };
  const record = await records.driverRecords.get('container_manager', cluster.containerManager);
  if (record === undefined) return { host };
  const driver = ports.drivers.container_manager.find(candidate => candidate.type === record.type);
  const manager = driver?.open?.(records.driverMemory.of(memoryScope('container_manager', record.name)));
  return { host, containerManager: { type: record.type, node: await nodeStatus(manager, ports, address) } };
}

type Manager = ReturnType<NonNullable<Ports['drivers']['container_manager'][number]['open']>>;

async function nodeStatus(
  manager: Manager | undefined,
  { clock }: Ports,
  address: Address,
): Promise<NodeStatus> {
  if (manager === undefined) return { reason: 'this type of container manager cannot be asked yet' };
  const report = await manager.report(address);
  if (report === undefined) return { reason: 'not registered with the container manager' };
  return { ...report, reportedAt: formatTimestamp(clock.now()) };
}
