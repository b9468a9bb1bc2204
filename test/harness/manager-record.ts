import { Connections } from '../../src/clients/connections.ts';
import type { ContainerManagerRecord } from '../../src/drivers/container-manager/container-manager.ts';
import { driverMemory } from './driver-memory.ts';

/** What a container manager driver is given, with nothing around it unless the test says so. */
export const managerRecord = (
  options: ContainerManagerRecord['options'],
  more: Partial<ContainerManagerRecord> = {},
): ContainerManagerRecord => ({
  name: 'nodes',
  options,
  memory: driverMemory(),
  connections: new Connections(),
  mayProceed: () => true,
  ...more,
});
