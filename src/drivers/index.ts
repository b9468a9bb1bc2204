import type { ContainerManagerDriver } from './container-manager/container-manager.ts';
import { containerManagerDrivers } from './container-manager/index.ts';
import type { HostSourceDriver } from './host-source/host-source.ts';
import { hostSourceDrivers } from './host-source/index.ts';
import { networkDrivers } from './network/index.ts';
import type { NetworkDriver } from './network/network.ts';
import { createOsRegistry } from './os/index.ts';
import type { OsRegistry } from './os/os-driver.ts';

export interface Drivers {
  readonly network: readonly NetworkDriver[];
  readonly container_manager: readonly ContainerManagerDriver[];
  readonly host_source: readonly HostSourceDriver[];
  readonly os: OsRegistry;
}

export const drivers: Drivers = {
  network: networkDrivers,
  container_manager: containerManagerDrivers,
  host_source: hostSourceDrivers,
  os: createOsRegistry(),
};
