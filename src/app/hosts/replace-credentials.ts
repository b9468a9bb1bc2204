import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { hostKeyFingerprint } from '../../domain/hosts/host-key.ts';
import type { Secret } from '../../domain/secret.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { beginAnew } from './bootstrap-again.ts';
import { privateKeyRefusal } from './private-key-refusal.ts';
import { unknownHost } from './read-hosts.ts';
import { transportRefusal } from './transport-refusal.ts';

export interface NewCredentials {
  readonly address: Address;
  readonly sshPrivKey: Secret;
  /** Not given: as it was. */
  readonly remoteUser: string | undefined;
  /** Not given: as it was. */
  readonly transport: string | undefined;
}

/** Replaces the credentials of a host by others that work: they are tried on the host before anything is stored. */
export async function replaceCredentials(
  ports: Ports,
  actor: Actor,
  { address, sshPrivKey, ...given }: NewCredentials,
): Promise<Host | AppError> {
  const problem = privateKeyRefusal(ports, sshPrivKey) ?? transportRefusal(ports, given.transport);
  if (problem) return problem;
  const { hosts, hostAccess } = ports.store.reads;
  const seen = await hosts.get(address);
  const access = seen && (await hostAccess.get(address));
  if (seen === undefined || access === undefined) return unknownHost(address);
  const { sshPort: port, hostKeys } = access;
  const user = given.remoteUser ?? access.remoteUser;
  const transport = given.transport ?? access.transport;
  const wanted = { user, port, hostKeys, transport, privateKey: sshPrivKey };
  const tried = await ports.tryAccess(address, wanted, actor.trace);
  if (tried instanceof TransportFailure) {
    // The next check sees the other key too, and says so in the status.
    if (tried.kind === 'host_key_changed') await change(ports, actor, under => under.checkNow(address));
    return refusalOf(address, tried);
  }

  return change(ports, actor, async under => {
    const { records, tell } = under;
    const host = await records.hosts.lock(address);
    if (host === undefined) return unknownHost(address);
    if (host.enrolment !== seen.enrolment) {
      return new AppError(
        'conflict',
        `the host ${address} was enrolled again while the credentials were tested; repeat the request`,
      );
    }
    // What was tried is what is stored, also where somebody has changed the user meanwhile.
    await records.hostAccess.setCredentials(address, {
      remoteUser: user,
      transport,
      sshPrivKey: await ports.vault.seal(sshPrivKey, sshPrivateKeyLocation(address), records.dataKeys),
    });
    if (hostKeys.length === 0) await records.hostAccess.pinHostKey(address, tried.hostKey);
    await tell({
      type: 'host.credentials_changed',
      subject: address,
      host: address,
      cluster: host.cluster,
      data: { remote_user: user },
    });
    if (host.status === 'failed') return beginAnew(under, host);
    // It may have been shut out by those it had.
    await under.checkNow(address);
    return host;
  });
}

function refusalOf(address: Address, { kind, detail, presentedKey }: TransportFailure): AppError {
  switch (kind) {
    case 'auth_rejected':
    case 'no_shell':
      return new AppError('credentials_rejected', `the host ${address} rejected the credentials: ${detail}`);
    case 'host_key_changed': {
      const shown = presentedKey === undefined ? '' : `, ${hostKeyFingerprint(presentedKey)}`;
      return new AppError('host_key_changed', `the host ${address} presented an unknown host key${shown}`);
    }
    case 'unreachable':
    case 'timed_out':
      return new AppError(
        'host_unreachable',
        `cannot reach the host ${address} to test the credentials: ${detail}`,
      );
  }
}
