import type { Address } from '../../domain/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/host.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { openOptions } from '../../secrets/sealed-options.ts';
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
  const { reads } = ports.store;
  const host = await reads.hosts.get(address);
  if (host === undefined) return unknownHost(address);
  const cluster = host.cluster === null ? undefined : await reads.clusters.get(host.cluster);
  if (!cluster?.containerManager) return { host };
  const record = await reads.driverRecords.get('container_manager', cluster.containerManager);
  if (record === undefined) return { host };
  return { host, containerManager: { type: record.type, node: await askManager(ports, record, address) } };
}

async function askManager(ports: Ports, record: DriverRecord, address: Address): Promise<NodeStatus> {
  const { vault, store } = ports;
  const driver = ports.drivers.container_manager.find(candidate => candidate.type === record.type);
  const manager = driver?.open?.({
    options: await openOptions({ vault, keys: store.reads.dataKeys, kind: 'container_manager' }, record),
    memory: ports.memoryOf('container_manager', record.name),
  });
  if (manager === undefined) return { reason: 'this type of container manager cannot be asked yet' };
  const report = await manager.report(address);
  switch (report.state) {
    case 'registered': {
      const { name, ready, schedulable } = report;
      return { name, ready, schedulable, reportedAt: formatTimestamp(ports.clock.now()) };
    }
    case 'unknown':
      return { reason: 'not registered with the container manager' };
    case 'unavailable':
      return { reason: report.reason };
  }
}
