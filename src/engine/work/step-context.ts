import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isCleared } from '../../domain/rolling/freshness.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import type { SavedWork, Work } from '../../domain/work/work.ts';
import { isOperationWork } from '../../domain/work/work.ts';
import { jobsNameOf } from '../../operations/jobs/job.ts';
import type { HostLink, StepContext } from '../../operations/step.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { openGuardedManager } from './guarded-container-manager.ts';
import { openGuardedNetwork } from './guarded-network.ts';
import type { WorkSpans } from './work-spans.ts';

/** The network of the cluster that the host at an address is in at this moment, whichever host that is. */
async function networkRecordOf({ store }: EnginePorts, address: Address): Promise<DriverRecord | null> {
  const now = await store.reads.hosts.get(address);
  const cluster = now?.cluster ? await store.reads.clusters.get(now.cluster) : undefined;
  return (cluster && (await store.reads.driverRecords.get('network', cluster.network))) ?? null;
}

/** What the turn knows of a step that it runs. */
interface Seen extends Pick<StepContext, 'hear' | 'jobEnded' | 'nowMs'> {
  readonly saved: SavedWork;
  readonly step: string;
  readonly host: Host | null;
  readonly link: HostLink;
  readonly unwanted: SkipReason | null;
  readonly spans: WorkSpans | null;
}

/** What a step is given to see. */
export async function stepContext(
  ports: EnginePorts,
  lease: Lease,
  claim: Claim,
  { saved, step, spans, ...seen }: Seen,
): Promise<StepContext<Work, Host | null>> {
  const { reads } = ports.store;
  const { work, progress } = saved;
  const access = seen.host ? await reads.hostAccess.get(seen.host.address) : undefined;
  return {
    ...seen,
    work,
    progress,
    jobsName: jobsNameOf(saved, step),
    clock: ports.clock,
    os: ports.drivers.os,
    isPinned: (access?.hostKeys.length ?? 0) > 0,
    serverBootIds: () => reads.servers.bootIds(),
    mayReboot: async () => {
      if (!isOperationWork(work)) return false;
      const planned = await reads.operationHosts.get(work.operation, work.host);
      return isCleared(planned?.clearedUntilMs ?? null, await reads.nowMs());
    },
    networkRecord: () => networkRecordOf(ports, work.host),
    openNetwork: async (record, managerType) => {
      const open = await openGuardedNetwork(ports, lease, record, managerType);
      return spans ? { ...open, network: spans.around(open.network, 'network') } : open;
    },
    managerRecord: async () => {
      const cluster = (await reads.hosts.get(work.host))?.cluster;
      return (cluster && (await reads.driverRecords.managerOf(cluster))) || null;
    },
    openManager: async record => {
      const manager = await openGuardedManager(ports, lease, claim, record);
      return spans ? spans.around(manager, 'container manager') : manager;
    },
  };
}
