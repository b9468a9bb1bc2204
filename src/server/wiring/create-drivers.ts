import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnyDriver } from '../../app/driver-records/driver-options.ts';
import { validatorFor } from '../../app/driver-records/driver-options.ts';
import { driverMemoryScope } from '../../app/driver-records/manage-driver-records.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Vault } from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { HostSourceDriver } from '../../drivers/host-source/host-source.ts';
import type { Drivers } from '../../drivers/index.ts';
import type { Network } from '../../drivers/network/network.ts';
import { createTransports, dispatchTransport } from '../../drivers/transport/index.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { ManagerFence, SendFence } from '../../engine/ports.ts';
import type { SourceConfig } from '../../engine/sources/refresh-source.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import { OperatorError } from '../../lib/errors.ts';
import { openOptions } from '../../secrets/sealed-options.ts';
import type { Store } from '../../store/store.ts';
import { createDriverMemory } from '../../store/store.ts';
import type { SourceEntry } from '../configuration/setting.ts';
import type { Config } from '../configuration/settings.ts';
import { toSourceSetting } from '../configuration/source-settings.ts';
import type { TransportMetrics } from '../metrics/transport-metrics.ts';
import { INJECTED_TRANSPORT, measureTransport } from '../metrics/transport-metrics.ts';
import { findAccessError } from './open-store.ts';

interface DriverFactoryPorts {
  readonly store: Store;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly connections: ConnectionPool;
  readonly etcdEndpoints: readonly string[];
}

const allowAlways = () => true;

/** The record was created by a version that still had the driver. */
function findDriver<Driver extends { readonly type: string }>(kind: string, type: string, drivers: readonly Driver[]) {
  const driver = drivers.find(candidate => candidate.type === type);
  if (driver === undefined) throw new Error(`this version has no driver for ${kind} of the type ${type}`);
  return driver;
}

/** The validation lets drivers declare the static type of their options. */
async function openDriverOptions(
  { vault, store }: DriverFactoryPorts,
  kind: DriverRecordKind,
  driver: AnyDriver,
  record: DriverRecord,
) {
  const options = await openOptions({ vault, keys: store.reads.dataKeys, kind }, record);
  const [error] = validatorFor(driver)(options);
  if (error) throw new Error(`the options of ${record.name} are invalid: ${error.path} ${error.message}`);
  return options;
}

export const createContainerManagerFactory =
  (ports: DriverFactoryPorts) =>
  async (record: DriverRecord, guard?: ManagerFence): Promise<ContainerManager> => {
    const { store, drivers, connections } = ports;
    const driver = findDriver('container managers', record.type, drivers.container_manager);
    return driver.open({
      name: record.name,
      options: await openDriverOptions(ports, 'container_manager', driver, record),
      memory: createDriverMemory(store, driverMemoryScope('container_manager', record.name), guard?.write),
      connections,
      mayProceed: guard?.mayProceed ?? allowAlways,
    });
  };

export const createNetworkFactory =
  (ports: DriverFactoryPorts) =>
  async (record: DriverRecord, managerType: string | null, guard?: SendFence): Promise<Network> => {
    const { drivers, connections, etcdEndpoints } = ports;
    const driver = findDriver('networks', record.type, drivers.network);
    const options = await openDriverOptions(ports, 'network', driver, record);
    const mayProceed = guard?.mayProceed ?? allowAlways;
    const { name } = record;
    return driver.open({ name, options, etcdEndpoints, managerType, connections, mayProceed });
  };

export const createSources = (
  entries: readonly SourceEntry[],
  drivers: readonly HostSourceDriver[],
  connections: ConnectionPool,
): readonly SourceConfig[] =>
  entries.map(entry => {
    const { name, type, refreshS, options } = toSourceSetting(entry);
    const driver = findDriver('host sources', type, drivers);
    return { name, refreshMs: refreshS * 1000, source: driver.open({ options, connections }) };
  });

/** The folder for sockets and other temporary files: the data directory if the system's own is not writable. */
export const resolveTempFolder = (data: string, systemFolder = tmpdir()): string =>
  findAccessError(systemFolder, constants.W_OK) === undefined ? systemFolder : path.resolve(data);

export function checkOpenSshConfig({ openssh_config: file }: Pick<Config, 'openssh_config'>): string | undefined {
  const accessError = file && findAccessError(file, constants.R_OK);
  return accessError && `openssh_config: cannot read ${file} (${accessError})`;
}

/** Returns `undefined` if the server does not connect to hosts. `injected` replaces the configured transport. */
export function createTransport(
  { transport, openssh_config, data }: Config,
  metrics: TransportMetrics,
  injected?: Transport,
): Transport | undefined {
  if (injected) return measureTransport(INJECTED_TRANSPORT, injected, metrics);
  const configError = checkOpenSshConfig({ openssh_config });
  if (configError !== undefined) throw new OperatorError(configError);
  if (transport === 'none') return undefined;
  const transports = createTransports({ configFile: openssh_config, tempFolder: resolveTempFolder(data) });
  const measured = Object.entries(transports).map(([type, each]) => [type, measureTransport(type, each, metrics)]);
  return dispatchTransport(Object.fromEntries(measured), transport);
}
