// The `swarm` driver in front of a fake swarm.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type {
  ContainerManager,
  ContainerManagerContext,
} from '../../../src/drivers/container-manager/container-manager.ts';
import { swarm } from '../../../src/drivers/container-manager/swarm/swarm.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import { driverMemory, managerContext } from '../driver-contexts.ts';
import { EngineServer } from './engine-server.ts';
import type { FakeSwarm } from './fake-swarm.ts';

/** Uses an empty memory by default. */
export function openSwarm(
  record: Pick<ContainerManagerContext, 'options' | 'connections'> & Partial<ContainerManagerContext>,
): ContainerManager {
  return swarm.open(managerContext(record.options, record));
}

export interface SwarmFixture {
  readonly server: EngineServer;
  /** One manager at 127.0.0.9 in each test. */
  readonly swarm: () => FakeSwarm;
  /** Drivers opened in a test share one memory. */
  readonly open: (record?: Partial<ContainerManagerContext>) => ContainerManager;
}

/** One server for all tests of a file. */
export function swarmFixture(): SwarmFixture {
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
    swarm: () => server.swarm,
    open: record => openSwarm({ options: { server_url: server.url }, connections, memory, ...record }),
  };
}
