import { transportConforms } from '../../test/conformance/transport.ts';
import { address, simulatedShell, targetOf } from '../../test/harness/simulation/simulator-fixture.ts';
import { Secret } from '../domain/secret.ts';
import { systemClock } from '../lib/time/clock.ts';
import { SimulatedFleet } from './simulated-fleet.ts';

transportConforms('sim', () => {
  const fleet = new SimulatedFleet({ clock: systemClock, simulators: { systems: [simulatedShell] } });
  const target = targetOf(address('10.0.0.1'));
  const host = fleet.add(target.address, { os: 'fixture', acceptedKeys: [target.privateKey] });
  const unresponsive = fleet.add(address('10.0.0.2'), {
    os: 'fixture',
    faults: [{ kind: 'frozen', at: 'connect' }],
  });
  return {
    transport: fleet.transport,
    target,
    hostKey: host.hostKey,
    unauthorizedKey: new Secret('c3RyYW5nZXI='),
    closedPort: targetOf(address('10.0.0.3')),
    unresponsive: targetOf(unresponsive.address),
    logins: () => fleet.counters.connectionsTotal,
    cut: () => {
      host.addFault({ kind: 'unreachable' });
      host.clearFaults('unreachable');
    },
  };
});
