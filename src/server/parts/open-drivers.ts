import { memoryScope } from '../../app/driver-records/memory-scope.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Vault } from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../../drivers/index.ts';
import type { OpenNetwork } from '../../drivers/network/network.ts';
import type { ManagerFence, SendFence } from '../../engine/ports.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import { openOptions } from '../../secrets/sealed-options.ts';
import { driverMemoryOf } from '../../store/driver-memory.ts';
import type { Store } from '../../store/store.ts';

interface OpeningPorts {
  readonly store: Store;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly connections: ConnectionPool;
  /** The etcd of the configuration. */
  readonly etcdEndpoints: readonly string[];
}

const always = () => true;

/** Its driver was taken out after it was made. */
const noDriver = (kind: string, { type }: DriverRecord) =>
  new Error(`this version has no driver for ${kind} of the type ${type}`);

const optionsOf = ({ vault, store }: OpeningPorts, kind: DriverRecordKind, record: DriverRecord) =>
  openOptions({ vault, keys: store.reads.dataKeys, kind }, record);

/** What opens the container manager that a record describes. */
export const openManagerWith =
  (ports: OpeningPorts) =>
  async (record: DriverRecord, guard?: ManagerFence): Promise<ContainerManager> => {
    const { store, drivers, connections } = ports;
    const driver = drivers.container_manager.find(candidate => candidate.type === record.type);
    if (driver === undefined) throw noDriver('container managers', record);
    return driver.open({
      name: record.name,
      options: await optionsOf(ports, 'container_manager', record),
      memory: driverMemoryOf(store, memoryScope('container_manager', record.name), guard?.write),
      connections,
      mayProceed: guard?.mayProceed ?? always,
    });
  };

/** What opens the network that a record describes. */
export const openNetworkWith =
  (ports: OpeningPorts) =>
  async (record: DriverRecord, managerType: string | null, guard?: SendFence): Promise<OpenNetwork> => {
    const { drivers, connections, etcdEndpoints } = ports;
    const driver = drivers.network.find(candidate => candidate.type === record.type);
    if (driver === undefined) throw noDriver('networks', record);
    const options = await optionsOf(ports, 'network', record);
    const mayProceed = guard?.mayProceed ?? always;
    const { name } = record;
    const network = driver.open({ name, options, etcdEndpoints, managerType, connections, mayProceed });
    return { joinsAs: driver.joinsAs, network };
  };
