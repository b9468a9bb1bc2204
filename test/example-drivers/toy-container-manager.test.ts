import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeMember } from '../../src/app/clusters/change-members.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { ConnectionPool } from '../../src/integrations/http/connection-pool.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { simulatedResult } from '../../src/simulator/simulated-machine.ts';
import { containerManagerConforms } from '../conformance/container-manager.ts';
import { optionsConform } from '../conformance/driver-options.ts';
import { managerContext } from '../harness/driver-contexts.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { JOIN, toy } from './toy-container-manager.ts';
import { startToyServer } from './toy-container-manager-server.ts';

const TOKEN = 'join-token';
let server: Awaited<ReturnType<typeof startToyServer>>;
const connections = new ConnectionPool();

beforeAll(async () => {
  server = await startToyServer();
});
beforeEach(() => server.nodes.clear());
afterAll(async () => {
  server.stop();
  await connections.close();
});

function open() {
  const options = { server_url: server.url, token: TOKEN };
  return toy.open(managerContext(options, { connections }));
}

optionsConform(toy, {
  good: [['a URL and a token', { server_url: 'https://127.0.0.1', token: 'x' }]],
  bad: [['no token', { server_url: 'https://127.0.0.1' }, ['/token']]],
});

containerManagerConforms('toy', {
  open,
  join: async (_manager, node) => server.join(node),
  cordonByHand: async (_manager, node) => {
    const found = server.nodes.get(node);
    if (found) Object.assign(found, { mark: 'admin', version: found.version + 1 });
  },
});

/** A simulated host with toyd. Joining needs the token and adds a node to the server. */
const toydSimulator = (address: string): CommandSimulator => ({
  templates: {},
  execute: (machine, [program, ...args], { input }) => {
    if (program === 'rm' && args[1] === '/run/toy-token') {
      machine.runFiles.delete('toy-token');
      return simulatedResult(0);
    }
    if (args[1] !== JOIN) return undefined;
    if (input?.trim() !== TOKEN) return simulatedResult(1, '', 'toyd: wrong token\n');
    machine.runFiles.set('toy-token', input);
    server.join(address);
    return simulatedResult(0);
  },
});

describe('a host in a cluster with a new container manager', () => {
  const HOST = '127.0.0.1' as Address;

  test('joins, is reported, leaves, and its token is in no command', async () => {
    const { simulation, end } = await simulate('sqlite', {
      drivers: { ...standardDrivers, container_manager: [...standardDrivers.container_manager, toy] },
      commonSimulators: [toydSimulator(HOST)],
    });
    try {
      await simulation.startServer();
      const options = { server_url: server.url, token: TOKEN };
      await simulation.makeCluster('web', { name: 'toys', type: 'toy', options });
      await simulation.enrolHosts([HOST], {}, { cluster: toRecordName('web') });
      await simulation.waitForStatus(HOST, 'active');
      expect([...server.nodes.keys()]).toEqual([HOST]);
      expect(simulation.commandsRunOn(HOST).join('\n')).not.toContain(TOKEN);
      const { runFiles } = simulation.fleet.host(HOST).machine;
      expect(runFiles.has('toy-token')).toBe(true);
      await removeMember(simulation.ports, LOCAL_ACTOR, toRecordName('web'), HOST);
      await simulation.clock.advanceUntil(async () => !runFiles.has('toy-token'), 60_000);
      expect([...server.nodes.keys()]).toEqual([]);
    } finally {
      await end();
    }
  });
});
