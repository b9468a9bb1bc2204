import type { ChildProcess } from 'node:child_process';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import type { Connection } from '../../src/drivers/transport/transport.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { SIMULATORS } from '../../src/simulator/index.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import type { FleetRequest, FleetResponse } from './fleet-transport.ts';

/** Only the delay before a reboot remains. */
const NO_LATENCY = { connectMs: 0, commandMs: 0, rebootDelayMs: 0, bootMs: 0 };

/** The hosts accept any key, so that no key has to leave a server. */
const ANY_KEY = new Secret('');
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };

export const createFleet = (): SimulatedFleet =>
  new SimulatedFleet({
    clock: systemClock,
    simulators: SIMULATORS,
    latencies: NO_LATENCY,
    journalLength: 0,
  });

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

const toFailedResponse = (id: number, { kind, detail }: TransportFailure): FleetResponse => ({
  kind: 'failed',
  id,
  failure: kind,
  detail,
});

/** Serves the hosts of this process to a server, so that all servers share the same hosts. */
export function serveFleet({ transport }: SimulatedFleet, server: ChildProcess): void {
  const connections = new Map<number, Connection>();

  async function handleRequest(request: Exclude<FleetRequest, { kind: 'close' }>): Promise<FleetResponse> {
    const { id } = request;
    if (request.kind === 'connect') {
      const { address, user } = request;
      const target = { address: address as Address, user, port: 22, privateKey: ANY_KEY, hostKeys: [] };
      const connection = await transport.connect(target, LIMITS);
      if (connection instanceof TransportFailure) return toFailedResponse(id, connection);
      connections.set(id, connection);
      return { kind: 'connected', id, hostKey: connection.hostKey };
    }
    const { argv, asRoot } = request;
    const result = await connections.get(request.connection)?.run(argv, { asRoot, ...LIMITS });
    if (result === undefined) return toFailedResponse(id, new TransportFailure('unreachable', 'not connected'));
    if (result instanceof TransportFailure) return toFailedResponse(id, result);
    return {
      kind: 'ran',
      id,
      exitCode: result.exitCode,
      stdout: latin1(result.stdout),
      stderr: latin1(result.stderr),
    };
  }

  server.on('message', async (request: FleetRequest) => {
    if (request.kind === 'close') {
      connections.get(request.connection)?.close();
      connections.delete(request.connection);
      return;
    }
    const response = await handleRequest(request);
    if (server.connected) server.send(response, () => {});
  });
}
