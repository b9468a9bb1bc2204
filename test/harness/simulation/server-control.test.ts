import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import { SimulatedServerControl } from './server-control.ts';
import { describeSimulation, EACH_TEST } from './simulate.ts';
import type { Simulation } from './simulation.ts';
import { KEY } from './simulation.ts';

const HOST = '127.0.0.1' as Address;
const LIMITS = { timeoutMs: 10_000, signal: new AbortController().signal };
const TARGET = { address: HOST, user: 'root', port: 22, privateKey: KEY, hostKeys: [] };

const waitForPromise = <Result>({ clock }: Simulation, promise: Promise<Result>): Promise<Result> =>
  clock.advanceUntilSettled(promise, 60_000);

async function open(simulation: Simulation, transport: Transport): Promise<Connection> {
  const connection = await waitForPromise(simulation, transport.connect(TARGET, LIMITS));
  if (!('run' in connection)) throw new Error(String(connection));
  return connection;
}

describeSimulation('SimulatedServerControl', { ...EACH_TEST, kinds: ['sqlite'] }, simulation => {
  describe('cut_hosts', () => {
    test('rejects new connections until it is reverted, and affects no other server', async () => {
      const host = simulation().addHost(HOST);
      const [isolated, other] = [new SimulatedServerControl(), new SimulatedServerControl()];
      const transport = isolated.transport(simulation().fleet.transport);
      isolated.inject('cut_hosts');
      expect(await transport.connect(TARGET, LIMITS)).toMatchObject({ kind: 'unreachable' });
      await open(simulation(), other.transport(simulation().fleet.transport));
      expect(host.downSinceMs).toBeUndefined();
      isolated.revert('cut_hosts');
      await open(simulation(), transport);
    });

    test('breaks open connections; a command that the host has received takes effect', async () => {
      const host = simulation().addHost(HOST, { faults: [{ kind: 'slow', commandMs: 2000 }] });
      const server = new SimulatedServerControl();
      const connection = await open(simulation(), server.transport(simulation().fleet.transport));
      const running = connection.run(['true'], LIMITS);
      await simulation().clock.advance(1000);
      server.inject('cut_hosts');
      expect(await waitForPromise(simulation(), running)).toMatchObject({ kind: 'unreachable' });
      await simulation().clock.advance(5000);
      expect(host.journal).toMatchObject([{ tookEffect: true, outcome: 'unreachable' }]);
      server.revert('cut_hosts');
      expect(await connection.run(['true'], LIMITS)).toMatchObject({ kind: 'unreachable' });
    });
  });
});
