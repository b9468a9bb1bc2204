// The baseline: only checks simulated hosts over the same channel as a server. Prints the CPU seconds.

import { Secret } from '../../src/domain/secret.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import { createOsRegistry } from '../../src/drivers/os/index.ts';
import { toAddress } from '../seed-store.ts';
import { FleetTransport } from './fleet-transport.ts';

const [hosts, checks] = [Number(process.argv[2]), Number(process.argv[3])];
const CONCURRENCY = 50;

const transport = new FleetTransport();
const { liveness } = createOsRegistry();
const limits = { timeoutMs: 10_000, signal: new AbortController().signal };

async function checkHost(index: number): Promise<void> {
  const target = {
    address: toAddress(index),
    port: 22,
    user: 'root',
    privateKey: new Secret(''),
    hostKeys: [],
  };
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) throw new Error(connection.detail);
  const result = await connection.run(liveness.argv, limits);
  connection.close();
  if (result instanceof TransportFailure || liveness.parse(result) === undefined)
    throw new Error('the health check failed');
}

let started = 0;
const before = process.cpuUsage();
const workers = Array.from({ length: CONCURRENCY }, async () => {
  while (started < checks) {
    started += 1;
    await checkHost(started % hosts);
  }
});
await Promise.all(workers);
const { user, system } = process.cpuUsage(before);
process.disconnect();
process.stdout.write(String((user + system) / 1e6));
