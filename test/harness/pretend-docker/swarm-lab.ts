// The driver `swarm` in front of a pretend swarm.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type {
  ContainerManager,
  ContainerManagerContext,
} from '../../../src/drivers/container-manager/container-manager.ts';
import { swarm } from '../../../src/drivers/container-manager/swarm/swarm.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import { driverMemory } from '../driver-memory.ts';
import { managerRecord } from '../manager-record.ts';
import { EngineServer } from './engine-server.ts';
import type { PretendSwarm } from './pretend-swarm.ts';

/** Opens the driver; it remembers nothing, unless a memory is given. */
export function openSwarmRecord(
  record: Pick<ContainerManagerContext, 'options' | 'connections'> & Partial<ContainerManagerContext>,
): ContainerManager {
  return swarm.open(managerRecord(record.options, record));
}

export interface SwarmLab {
  readonly server: EngineServer;
  /** Of the test that runs: one manager at 127.0.0.9, and no other node. */
  readonly nodes: () => PretendSwarm;
  /** All that are opened in a test share one memory. */
  readonly open: (record?: Partial<ContainerManagerContext>) => ContainerManager;
}

/** One server for all tests of a file. */
export function swarmLab(): SwarmLab {
  const [server, connections] = [new EngineServer(), new ConnectionPool()];
  let memory = driverMemory();
  beforeAll(() => server.start());
  beforeEach(() => {
    server.reset();
    memory = driverMemory();
    server.swarm.add('127.0.0.9', { name: 'manager', reachability: 'reachable' });
  });
  afterAll(async () => {
    await connections.close();
    await server.stop();
  });
  return {
    server,
    nodes: () => server.swarm,
    open: record => openSwarmRecord({ options: { server_url: server.url }, connections, memory, ...record }),
  };
}
