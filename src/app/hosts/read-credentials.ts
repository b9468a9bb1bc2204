import type { Actor } from '../../domain/actor.ts';
import type { Address } from '../../domain/address.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { keyPlace } from './key-place.ts';
import { unknownHost } from './read-hosts.ts';

export interface Credentials {
  readonly sshPrivKey: Secret;
  readonly remoteUser: string;
}

/** The credentials as stored. That they were read is on record before they are answered. */
export async function readCredentials(
  { store, clock, vault }: Ports,
  actor: Actor,
  address: Address,
): Promise<Credentials | Refusal> {
  return store.transaction(async records => {
    const host = await records.hosts.lock(address);
    const access = host && (await records.hostAccess.get(address));
    if (access === undefined) return unknownHost(address);
    await tell(records, clock, actor, [{ type: 'host.credentials_read', subject: address, host: address }]);
    return { sshPrivKey: vault.open(access.sshPrivKey, keyPlace(address)), remoteUser: access.remoteUser };
  });
}
