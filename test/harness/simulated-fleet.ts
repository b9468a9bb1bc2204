// Simulated hosts in real time, for complete operations with the real server.

import type { Address } from '../../src/domain/addresses/address.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { SIMULATORS } from '../../src/simulator/index.ts';
import type { FleetOptions } from '../../src/simulator/simulated-fleet.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import type { SimulatedHostSpec } from '../../src/simulator/simulation-context.ts';

/** By default the hosts respond at once and boot in 50 ms. */
export const createFleet = ({
  simulators = SIMULATORS,
  latencies = { connectMs: 0, commandMs: 0, bootMs: 50 },
}: Partial<FleetOptions> = {}): SimulatedFleet => new SimulatedFleet({ clock: systemClock, simulators, latencies });

/** Returns the hosts for `createActiveCluster`. Tests can change `spec` later. */
export const addHosts = (
  fleet: SimulatedFleet,
  addresses: readonly string[],
  spec: Partial<SimulatedHostSpec> = {},
): readonly { readonly address: string }[] =>
  addresses.map(address => {
    fleet.add(address as Address, Object.assign(spec, { os: spec.os ?? 'debian' }));
    return { address };
  });
