import { Secret } from '../../../domain/secret.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { transportConforms } from '../conformance.ts';
import { address, targetOf } from './lab.ts';
import { shellFake } from './shell-fake.ts';
import { SimulatedFleet } from './simulated-fleet.ts';

transportConforms('sim', () => {
  const fleet = new SimulatedFleet({ clock: systemClock, fakes: { systems: [shellFake] } });
  const target = targetOf(address('10.0.0.1'));
  const host = fleet.add(target.address, { os: 'lab', acceptedKeys: [target.privateKey] });
  const silent = fleet.add(address('10.0.0.2'), { os: 'lab', faults: [{ kind: 'frozen', at: 'connect' }] });
  return {
    transport: fleet.transport,
    target,
    hostKey: host.hostKey,
    strangersKey: new Secret('c3RyYW5nZXI='),
    nobody: targetOf(address('10.0.0.3')),
    silent: targetOf(silent.address),
    logins: () => fleet.counters.connectionsEver,
    cut: () => {
      host.suffer({ kind: 'unreachable' });
      host.recover('unreachable');
    },
  };
});
