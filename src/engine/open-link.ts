import type { Address } from '../domain/address.ts';
import { hostKeyPlace } from '../domain/sealed-places.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import type { Lease } from './lease.ts';
import { LeasedLink } from './leased-link.ts';
import type { EnginePorts } from './ports.ts';

/** How to get into a host, as it is known at this moment. */
async function targetOf({ store, vault }: EnginePorts, address: Address): Promise<Target | TransportFailure> {
  const { hostAccess, dataKeys } = store.reads;
  const access = await hostAccess.get(address);
  // Whoever is at it will find out when that is to be saved.
  if (access === undefined) return new TransportFailure('unreachable', 'the host has been removed');
  return {
    address,
    port: access.sshPort,
    user: access.remoteUser,
    privateKey: await vault.open(access.sshPrivKey, hostKeyPlace(address), dataKeys),
    hostKeys: access.hostKeys,
  };
}

/** The way to a host, for as long as the lease is held. */
export const openLink = (ports: EnginePorts, lease: Lease, address: Address): LeasedLink =>
  new LeasedLink(
    { transport: ports.transport, lease, connectTimeoutMs: ports.settings.connectTimeoutMs },
    () => targetOf(ports, address),
  );
