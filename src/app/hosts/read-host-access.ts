import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import type { HostAccess } from '../../domain/hosts/host.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

/** How a host is reached and whom it is taken for, without what lets one in. */
export async function readHostAccess(
  { store }: Ports,
  address: Address,
): Promise<Pick<HostAccess, 'remoteUser' | 'sshPort' | 'hostKeys'> | AppError> {
  const access = await store.reads.hostAccess.get(address);
  if (access === undefined) return unknownHost(address);
  const { remoteUser, sshPort, hostKeys } = access;
  return { remoteUser, sshPort, hostKeys };
}
