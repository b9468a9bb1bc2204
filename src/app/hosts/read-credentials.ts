import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { Secret, sshPrivateKeyLocation } from '../../domain/secret.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

export interface HostCredentials {
  /** Empty where the service's own identity is used: that key is never served. */
  readonly sshPrivKey: Secret;
  readonly remoteUser: string;
}

/** The credentials as stored. That they were read is on record before they are answered. */
export async function readCredentials(
  ports: Ports,
  actor: Actor,
  address: Address,
): Promise<HostCredentials | AppError> {
  return change(ports, actor, async ({ records, tell }) => {
    const host = await records.hosts.lock(address);
    const access = host && (await records.hostAccess.get(address));
    if (access === undefined) return unknownHost(address);
    await tell({ type: 'host.credentials_read', subject: address, host: address });
    const { sshPrivKey: kept, remoteUser } = access;
    if (kept === null) return { sshPrivKey: new Secret(''), remoteUser };
    return {
      sshPrivKey: await ports.vault.open(kept, sshPrivateKeyLocation(address), records.dataKeys),
      remoteUser,
    };
  });
}
