import type { DriverMemory } from '../../src/domain/driver-record.ts';
import type { ContainerManagerContext } from '../../src/drivers/container-manager/container-manager.ts';
import type { NetworkContext } from '../../src/drivers/network/network.ts';
import { ConnectionPool } from '../../src/integrations/http/connection-pool.ts';

export function driverMemory(values = new Map<string, string>()): DriverMemory {
  return {
    get: async key => values.get(key),
    compareAndSet: async (key, from, to) => {
      const isUnchanged = values.get(key) === from;
      if (isUnchanged) values.set(key, to);
      return isUnchanged;
    },
    delete: async key => void values.delete(key),
  };
}

export const managerContext = (
  options: ContainerManagerContext['options'],
  overrides: Partial<ContainerManagerContext> = {},
): ContainerManagerContext => ({
  name: 'nodes',
  options,
  memory: driverMemory(),
  connections: new ConnectionPool(),
  mayProceed: () => true,
  ...overrides,
});

export const networkContext = (
  options: NetworkContext['options'],
  overrides: Partial<NetworkContext> = {},
): NetworkContext => ({
  name: 'network',
  options,
  etcdEndpoints: [],
  managerType: null,
  connections: new ConnectionPool(),
  mayProceed: () => true,
  ...overrides,
});
