import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { AppError } from '../../domain/errors.ts';
import type { Host, Labels } from '../../domain/hosts/host.ts';
import type { SavedTask } from '../../domain/tasks/task.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';
import type { SourceStatus } from './source-status.ts';
import { sourceStatusOf } from './source-status.ts';

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
  readonly labels: Labels;
  /** What is still to be done on it, oldest first. */
  readonly work: readonly SavedTask[];
  /** By which it is reached; empty: by whichever is the standard. */
  readonly transport: string;
  /** The key that it shows instead of those it is known by; null: none. */
  readonly offeredHostKey: string | null;
  /** Absent when its facts are its own. */
  readonly source?: SourceStatus;
  /** Absent when the host's cluster has no container manager. */
  readonly containerManager?: { readonly type: string; readonly node: NodeStatus };
}

/** How a host is, and how its container manager says that it is. */
export async function readHostStatus(ports: Ports, address: Address): Promise<HostStatusReport | AppError> {
  const { reads } = ports.store;
  const host = await reads.hosts.get(address);
  if (host === undefined) return unknownHost(address);
  const labels = await reads.hostLabels.of(address);
  const { pendingHostKey = null, transport = '' } = (await reads.hostAccess.get(address)) ?? {};
  const work = await reads.work.savedOf(address);
  const source = await sourceStatusOf(ports, host);
  const own = { host, labels, work, transport, offeredHostKey: pendingHostKey, ...(source && { source }) };
  return { ...own, ...(await managerOf(ports, host)) };
}

async function managerOf(ports: Ports, host: Host): Promise<Pick<HostStatusReport, 'containerManager'>> {
  const { driverRecords } = ports.store.reads;
  const record = host.cluster === null ? undefined : await driverRecords.managerOf(host.cluster);
  if (record === undefined) return {};
  return { containerManager: { type: record.type, node: await askManager(ports, record, host.address) } };
}

/** A person waits for the answer. */
const ANSWER_WITHIN_MS = 5000;

async function reportOn(ports: Ports, record: DriverRecord, address: Address): Promise<NodeReport> {
  try {
    const manager = await ports.openManager(record);
    return await inTime(ports.clock, ANSWER_WITHIN_MS, () => manager.report(address));
  } catch (error) {
    return { state: 'unavailable', reason: messageOf(error) };
  }
}

async function askManager(ports: Ports, record: DriverRecord, address: Address): Promise<NodeStatus> {
  const report = await reportOn(ports, record, address);
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
