import type { Address } from '../../domain/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Host } from '../../domain/host.ts';
import type { Work } from '../../domain/work.ts';
import type { HostLink, StepContext } from '../../operations/step.ts';
import type { EnginePorts } from '../ports.ts';

/** The container manager of the cluster that the host at an address is in at this moment, whichever host that is. */
async function managerRecordOf({ store }: EnginePorts, address: Address): Promise<DriverRecord | null> {
  const { hosts, clusters, driverRecords } = store.reads;
  const now = await hosts.get(address);
  const cluster = now?.cluster ? await clusters.get(now.cluster) : undefined;
  if (!cluster?.containerManager) return null;
  return (await driverRecords.get('container_manager', cluster.containerManager)) ?? null;
}

/** What a step is given to see. */
export async function stepContext(
  ports: EnginePorts,
  work: Work,
  host: Host | null,
  link: HostLink,
): Promise<StepContext<Work, Host | null>> {
  const { store, drivers, openManager } = ports;
  const access = host ? await store.reads.hostAccess.get(host.address) : undefined;
  return {
    work,
    host,
    link,
    os: drivers.os,
    isPinned: (access?.hostKeys.length ?? 0) > 0,
    managerRecord: () => managerRecordOf(ports, work.host),
    openManager,
  };
}
