import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { AppError } from '../../domain/errors.ts';
import type { Host, Labels } from '../../domain/hosts/host.ts';
import type { SavedTask } from '../../domain/tasks/task.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { errorMessage } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { Ports } from '../ports.ts';
import { hostNotFound } from './read-hosts.ts';

interface SourceStatus {
  readonly name: string;
  readonly lastRead: { readonly at: string; readonly ageS: number } | null;
  /** At `lastRead`, the last successful read. */
  readonly hasHost: boolean;
  readonly problem: string | undefined;
  readonly conditions: Readonly<Record<string, string>> | undefined;
}

async function readSourceStatus(
  { store: { reads }, hostSources }: Pick<Ports, 'store' | 'hostSources'>,
  { address, source: name, sourceFacts }: Pick<Host, 'address' | 'source' | 'sourceFacts'>,
): Promise<SourceStatus | undefined> {
  if (name === '') return undefined;
  const lastReadAt = await reads.sourcedHosts.getLastReadAt(address);
  const now = await reads.nowMs();
  const problem = hostSources.has(name)
    ? (await reads.sourceRefreshes.get(name))?.problem || undefined
    : `the host source ${name} is not configured on this server`;
  return {
    name,
    lastRead:
      lastReadAt === null
        ? null
        : { at: formatTimestamp(lastReadAt), ageS: Math.max(0, Math.floor((now - lastReadAt) / 1000)) },
    hasHost: sourceFacts !== null,
    problem,
    conditions: sourceFacts?.conditions,
  };
}

type NodeStatus =
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
  /** When the host last responded to a check or a step; `undefined`: never. */
  readonly respondedAt: string | undefined;
  /** Oldest first. */
  readonly tasks: readonly SavedTask[];
  /** Empty: the default. */
  readonly transport: string;
  /** Presented instead of the pinned keys. */
  readonly pendingHostKey: string | null;
  readonly source?: SourceStatus;
  /** Absent if the cluster has no container manager. */
  readonly containerManager?: { readonly type: string; readonly node: NodeStatus };
}

export async function readHostStatus(ports: Ports, address: Address): Promise<HostStatusReport | AppError> {
  const { reads } = ports.store;
  const host = await reads.hosts.get(address);
  if (host === undefined) return hostNotFound(address);
  const labels = await reads.hostLabels.get(address);
  const { pendingHostKey = null, transport = '' } = (await reads.hostAccess.get(address)) ?? {};
  const tasks = await reads.tasks.listSaved(address);
  const respondedAtMs = await reads.hostQueue.getRespondedAt(address);
  const source = await readSourceStatus(ports, host);
  return {
    host,
    labels,
    respondedAt: respondedAtMs === undefined ? undefined : formatTimestamp(respondedAtMs),
    tasks,
    transport,
    pendingHostKey,
    ...(source && { source }),
    ...(await readManagerStatus(ports, host)),
  };
}

async function readManagerStatus(ports: Ports, host: Host): Promise<Pick<HostStatusReport, 'containerManager'>> {
  const { driverRecords } = ports.store.reads;
  const record = host.cluster === null ? undefined : await driverRecords.getManager(host.cluster);
  if (record === undefined) return {};
  return { containerManager: { type: record.type, node: await readNodeStatus(ports, record, host.address) } };
}

/** Short, because a user waits for the response. */
const NODE_STATUS_TIMEOUT_MS = 5000;

async function queryNode(ports: Ports, record: DriverRecord, address: Address): Promise<NodeReport> {
  try {
    const manager = await ports.openManager(record);
    return await withTimeout(ports.clock, NODE_STATUS_TIMEOUT_MS, () => manager.report(address));
  } catch (error) {
    return { state: 'unavailable', reason: errorMessage(error) };
  }
}

async function readNodeStatus(ports: Ports, record: DriverRecord, address: Address): Promise<NodeStatus> {
  const report = await queryNode(ports, record, address);
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
