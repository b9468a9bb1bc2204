// The real server with simulated hosts that boot in 50 ms, for complete operations.

import type { Address } from '../../src/domain/addresses/address.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { SIMULATORS } from '../../src/simulator/index.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import type { SimulatedHostSpec } from '../../src/simulator/simulation-context.ts';
import { PRIVATE_KEY } from './credentials.ts';
import type { TestService } from './service.ts';
import { waitUntil } from './wait-until.ts';

export const createFleet = (): SimulatedFleet =>
  new SimulatedFleet({
    clock: systemClock,
    simulators: SIMULATORS,
    latencies: { connectMs: 0, commandMs: 0, bootMs: 50 },
  });

/** Returns when all hosts are active. */
export async function makeCluster(
  service: Pick<TestService, 'client'>,
  fleet: SimulatedFleet,
  name: string,
  hosts: Readonly<Record<string, Partial<SimulatedHostSpec>>>,
): Promise<void> {
  const { client } = service;
  await client.putCluster({ name, body: { network: 'default' } });
  for (const [address, spec] of Object.entries(hosts)) {
    fleet.add(address as Address, { os: 'debian', ...spec });
    await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster: name } });
  }
  for (const address of Object.keys(hosts))
    await waitUntil(`${address} is active`, async () => (await client.getHost({ address })).body.status === 'active');
}
