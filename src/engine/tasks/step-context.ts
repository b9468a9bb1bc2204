import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isCleared } from '../../domain/rollout/outage.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import type { SavedTask, Task } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import { jobPrefixOf } from '../../procedures/jobs/job.ts';
import type { HostConnection, StepContext } from '../../procedures/step.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { openFencedManager, openFencedNetwork } from './fenced-drivers.ts';
import type { TaskTracing } from './task-tracing.ts';

async function loadNetworkRecord({ store }: EnginePorts, address: Address): Promise<DriverRecord | null> {
  const host = await store.reads.hosts.get(address);
  const cluster = host?.cluster ? await store.reads.clusters.get(host.cluster) : undefined;
  return (cluster && (await store.reads.driverRecords.get('network', cluster.network))) ?? null;
}

interface StepContextInput extends Pick<StepContext, 'onOutput' | 'onJobEnd' | 'nowMs'> {
  readonly saved: SavedTask;
  readonly step: string;
  readonly host: Host | null;
  readonly connection: HostConnection;
  readonly abortReason: SkipReason | null;
  readonly tracing: TaskTracing | null;
}

export async function createStepContext(
  ports: EnginePorts,
  lease: Lease,
  claim: Claim,
  { saved, step, tracing, ...input }: StepContextInput,
): Promise<StepContext<Task, Host | null>> {
  const { reads } = ports.store;
  const { task, state } = saved;
  const access = input.host ? await reads.hostAccess.get(input.host.address) : undefined;
  return {
    ...input,
    task,
    state,
    jobPrefix: jobPrefixOf(saved, step),
    clock: ports.clock,
    os: ports.drivers.os,
    hasPinnedHostKeys: (access?.hostKeys.length ?? 0) > 0,
    serverBootIds: () => reads.servers.listBootIds(),
    mayReboot: async () => {
      if (!isOperationTask(task)) return false;
      const operationHost = await reads.operationHosts.get(task.operation, task.host);
      return isCleared(operationHost?.clearedUntilMs ?? null, await reads.nowMs());
    },
    networkRecord: () => loadNetworkRecord(ports, task.host),
    openNetwork: async (record, managerType) => {
      const network = await openFencedNetwork(ports, lease, record, managerType);
      return tracing ? tracing.traceCalls(network, 'network') : network;
    },
    managerRecord: async () => {
      const cluster = (await reads.hosts.get(task.host))?.cluster;
      return (cluster && (await reads.driverRecords.getManager(cluster))) || null;
    },
    openManager: async record => {
      const manager = await openFencedManager(ports, lease, claim, record);
      return tracing ? tracing.traceCalls(manager, 'container manager') : manager;
    },
  };
}
