// The driver `swarm` in front of a pretend swarm.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Connections } from '../../../src/clients/connections.ts';
import type { DriverMemory } from '../../../src/domain/driver-memory.ts';
import type {
  ContainerManager,
  ContainerManagerRecord,
} from '../../../src/drivers/container-manager/container-manager.ts';
import { swarm } from '../../../src/drivers/container-manager/swarm/swarm.ts';
import { EngineServer } from './engine-server.ts';
import type { PretendSwarm } from './pretend-swarm.ts';

function memoryOf(values = new Map<string, string>()): DriverMemory {
  return {
    get: async key => values.get(key),
    compareAndSet: async (key, from, to) => {
      const isStill = values.get(key) === from;
      if (isStill) values.set(key, to);
      return isStill;
    },
    delete: async key => void values.delete(key),
  };
}

/** Opens the driver; it remembers nothing, unless a memory is given. */
export function openSwarmRecord(
  record: Pick<ContainerManagerRecord, 'options' | 'connections'> & Partial<ContainerManagerRecord>,
): ContainerManager {
  if (swarm.open === undefined) throw new Error('it can be asked');
  return swarm.open({ memory: memoryOf(), mayProceed: () => true, ...record });
}

export interface SwarmLab {
  readonly server: EngineServer;
  /** Of the test that runs: one manager at 127.0.0.9, and no other node. */
  readonly nodes: () => PretendSwarm;
  /** All that are opened in a test share one memory. */
  readonly open: (record?: Partial<ContainerManagerRecord>) => ContainerManager;
}

/** One server for all tests of a file. */
export function swarmLab(): SwarmLab {
  const [server, connections] = [new EngineServer(), new Connections()];
  let memory = memoryOf();
  beforeAll(() => server.start());
  beforeEach(() => {
    server.reset();
    memory = memoryOf();
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
