import type { ContainerManagerContext } from '../../src/drivers/container-manager/container-manager.ts';
import { ConnectionPool } from '../../src/integrations/http/connection-pool.ts';
import { driverMemory } from './driver-memory.ts';

/** What a container manager driver is given, with nothing around it unless the test says so. */
export const managerRecord = (
  options: ContainerManagerContext['options'],
  more: Partial<ContainerManagerContext> = {},
): ContainerManagerContext => ({
  name: 'nodes',
  options,
  memory: driverMemory(),
  connections: new ConnectionPool(),
  mayProceed: () => true,
  ...more,
});
