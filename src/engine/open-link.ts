import type { Host } from '../domain/host.ts';
import { hostKeyPlace } from '../domain/sealed-places.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import type { Lease } from './lease.ts';
import { LeasedLink } from './leased-link.ts';
import type { EnginePorts } from './ports.ts';

/** A host, and not another one that may be at its address later. */
type Enrolled = Pick<Host, 'address' | 'enrolment'>;

/** How to get into a host, as it is known at this moment. */
async function targetOf({ store, vault }: EnginePorts, host: Enrolled): Promise<Target | TransportFailure> {
  const { hostAccess, dataKeys } = store.reads;
  // Another host may be there now, with other keys. Whoever is at the old one finds out when that is to be saved.
  const access = await hostAccess.getOf(host);
  if (access === undefined) return new TransportFailure('unreachable', 'the host has been removed');
  const { address } = host;
  return {
    address,
    port: access.sshPort,
    user: access.remoteUser,
    privateKey: await vault.open(access.sshPrivKey, hostKeyPlace(address), dataKeys),
    hostKeys: access.hostKeys,
    transport: access.transport,
  };
}

/** The way to a host, for as long as the lease is held. */
export const openLink = (ports: EnginePorts, lease: Lease, host: Enrolled): LeasedLink =>
  new LeasedLink(
    { transport: ports.transport, lease, connectTimeoutMs: ports.settings.connectTimeoutMs },
    () => targetOf(ports, host),
  );
