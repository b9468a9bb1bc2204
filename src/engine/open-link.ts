import { SecretDamaged } from '../domain/errors.ts';
import type { Host, HostAccess } from '../domain/hosts/host.ts';
import { requireIdentity } from '../domain/identity.ts';
import { hostKeyPlace, identityPlace } from '../domain/sealed-places.ts';
import { Secret } from '../domain/secret.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import type { Lease } from './lease.ts';
import { LeasedLink } from './leased-link.ts';
import type { EnginePorts } from './ports.ts';

/** A host, and not another one that may be at its address later. */
type Enrolled = Pick<Host, 'address' | 'enrolment'>;

/** The key that lets us into a host, in base64: its own, or that of the service. */
async function keyOf(
  { store, vault }: EnginePorts,
  { address }: Enrolled,
  { sshPrivKey }: HostAccess,
): Promise<Secret> {
  const { dataKeys, identity } = store.reads;
  if (sshPrivKey !== null) return vault.open(sshPrivKey, hostKeyPlace(address), dataKeys);
  const { privateKey } = requireIdentity(await identity.get());
  const openSshForm = await vault.open(privateKey, identityPlace, dataKeys);
  return new Secret(Buffer.from(openSshForm.reveal()).toString('base64'));
}

/** How to get into a host, as it is known at this moment. */
async function targetOf(ports: EnginePorts, host: Enrolled): Promise<Target | TransportFailure> {
  // Another host may be there now, with other keys. Whoever is at the old one finds out when that is to be saved.
  const access = await ports.store.reads.hostAccess.getOf(host);
  if (access === undefined) return new TransportFailure('unreachable', 'the host was removed');
  const privateKey = await keyOf(ports, host, access).catch((error: unknown) => {
    if (error instanceof SecretDamaged) return new TransportFailure('auth_rejected', error.message);
    throw error;
  });
  if (privateKey instanceof TransportFailure) return privateKey;
  return {
    address: host.address,
    port: access.sshPort,
    user: access.remoteUser,
    privateKey,
    hostKeys: access.hostKeys,
    transport: access.transport,
  };
}

/** The way to a host, for as long as the lease is held. */
export const openLink = (
  ports: EnginePorts,
  lease: Lease,
  host: Enrolled,
  { tcpTimeoutMs }: { readonly tcpTimeoutMs?: number } = {},
): LeasedLink =>
  new LeasedLink(
    { transport: ports.transport, lease, connectTimeoutMs: ports.settings.connectTimeoutMs, tcpTimeoutMs },
    () => targetOf(ports, host),
  );
