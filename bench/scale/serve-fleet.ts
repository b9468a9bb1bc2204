import type { ChildProcess } from 'node:child_process';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import type { Connection } from '../../src/drivers/transport/transport.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { FAKES } from '../../src/server/demo/fakes.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import type { FleetAnswer, FleetQuestion } from './fleet-messages.ts';

/** Hosts that take no time of their own, but for the moment that a host is given before it reboots. */
const NO_TIME = { connectMs: 0, commandMs: 0, rebootDelayMs: 0, bootMs: 0 };

/** They let everybody in, so that no key has to leave a server. */
const ANY_KEY = new Secret('');
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };

export const newFleet = (): SimulatedFleet =>
  new SimulatedFleet({
    clock: systemClock,
    simulators: FAKES,
    latencies: NO_TIME,
    journalLength: 0,
  });

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

const failed = (id: number, { kind, detail }: TransportFailure): FleetAnswer => ({
  kind: 'failed',
  id,
  failure: kind,
  detail,
});

/** Lets a server reach the hosts of this process: so a host is the same for all servers. */
export function serveFleet({ transport }: SimulatedFleet, server: ChildProcess): void {
  const connections = new Map<number, Connection>();

  async function answer(question: Exclude<FleetQuestion, { kind: 'close' }>): Promise<FleetAnswer> {
    const { id } = question;
    if (question.kind === 'connect') {
      const { address, user } = question;
      const target = { address: address as Address, user, port: 22, privateKey: ANY_KEY, hostKeys: [] };
      const opened = await transport.connect(target, LIMITS);
      if (opened instanceof TransportFailure) return failed(id, opened);
      connections.set(id, opened);
      return { kind: 'connected', id, hostKey: opened.hostKey };
    }
    const { argv, asRoot } = question;
    const ran = await connections.get(question.connection)?.run(argv, { asRoot, ...LIMITS });
    if (ran === undefined) return failed(id, new TransportFailure('unreachable', 'it is not connected'));
    if (ran instanceof TransportFailure) return failed(id, ran);
    return {
      kind: 'ran',
      id,
      exitCode: ran.exitCode,
      stdout: latin1(ran.stdout),
      stderr: latin1(ran.stderr),
    };
  }

  server.on('message', async (question: FleetQuestion) => {
    if (question.kind === 'close') {
      connections.get(question.connection)?.close();
      connections.delete(question.connection);
      return;
    }
    const told = await answer(question);
    if (server.connected) server.send(told, () => {});
  });
}
