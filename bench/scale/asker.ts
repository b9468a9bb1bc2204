// The floor: looks at pretend hosts over the same way as a server, and does nothing else. Prints the CPU that this takes.

import { Secret } from '../../src/domain/secret.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import { createOsRegistry } from '../../src/drivers/os/index.ts';
import { addressOf } from '../fleet.ts';
import { FleetTransport } from './fleet-transport.ts';

const [hosts, looks] = [Number(process.argv[2]), Number(process.argv[3])];
const AT_ONCE = 50;

const transport = new FleetTransport();
const { liveness } = createOsRegistry();
const limits = { timeoutMs: 10_000, signal: new AbortController().signal };

async function look(index: number): Promise<void> {
  const target = {
    address: addressOf(index),
    port: 22,
    user: 'root',
    privateKey: new Secret(''),
    hostKeys: [],
  };
  const connection = await transport.connect(target, limits);
  if (connection instanceof TransportFailure) throw new Error(connection.detail);
  const ran = await connection.run(liveness.argv, limits);
  connection.close();
  if (ran instanceof TransportFailure || liveness.parse(ran) === undefined)
    throw new Error('the health check failed');
}

let begun = 0;
const before = process.cpuUsage();
const rows = Array.from({ length: AT_ONCE }, async () => {
  while (begun < looks) {
    begun += 1;
    await look(begun % hosts);
  }
});
await Promise.all(rows);
const { user, system } = process.cpuUsage(before);
process.disconnect();
process.stdout.write(String((user + system) / 1e6));
