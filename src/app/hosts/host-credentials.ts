import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { hostKeyFingerprint } from '../../domain/hosts/host-key.ts';
import { Secret, sshPrivateKeyLocation } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Ports } from '../ports.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { validateSshPrivateKey, validateTransport } from './enrol-host.ts';
import { hostNotFound } from './read-hosts.ts';
import { restartBootstrap } from './rebootstrap-host.ts';

/** Without the private key. */
export async function readHostAccess(
  { store }: Ports,
  address: Address,
): Promise<Pick<HostAccess, 'remoteUser' | 'sshPort' | 'hostKeys'> | AppError> {
  const access = await store.reads.hostAccess.get(address);
  if (access === undefined) return hostNotFound(address);
  const { remoteUser, sshPort, hostKeys } = access;
  return { remoteUser, sshPort, hostKeys };
}

export interface HostCredentials {
  /** Empty for the SSH key of the service, which is never returned. */
  readonly sshPrivKey: Secret;
  readonly remoteUser: string;
}

/** The read is audited in the same transaction, before the response. */
export async function readCredentials(
  ports: Ports,
  actor: Actor,
  address: Address,
): Promise<HostCredentials | AppError> {
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const host = await records.hosts.lock(address);
    const access = host && (await records.hostAccess.get(address));
    if (access === undefined) return hostNotFound(address);
    await emit({ type: 'host.credentials_read', subject: address, host: address });
    const { sshPrivKey: sealedKey, remoteUser } = access;
    if (sealedKey === null) return { sshPrivKey: new Secret(''), remoteUser };
    return {
      sshPrivKey: await ports.vault.open(sealedKey, sshPrivateKeyLocation(address), records.dataKeys),
      remoteUser,
    };
  });
}

export interface CredentialsInput {
  readonly address: Address;
  readonly sshPrivKey: Secret;
  readonly remoteUser: string | undefined;
  readonly transport: string | undefined;
}

export async function replaceCredentials(
  ports: Ports,
  actor: Actor,
  { address, sshPrivKey, ...overrides }: CredentialsInput,
): Promise<Host | AppError> {
  const error = validateSshPrivateKey(ports, sshPrivKey) ?? validateTransport(ports, overrides.transport);
  if (error) return error;
  const { hosts, hostAccess } = ports.store.reads;
  const testedHost = await hosts.get(address);
  const access = testedHost && (await hostAccess.get(address));
  if (testedHost === undefined || access === undefined) return hostNotFound(address);
  const { sshPort: port, hostKeys } = access;
  const user = overrides.remoteUser ?? access.remoteUser;
  const transport = overrides.transport ?? access.transport;
  const candidate = { user, port, hostKeys, transport, privateKey: sshPrivKey };
  const testResult = await ports.testCredentials(address, candidate, actor.trace);
  if (testResult instanceof TransportFailure) {
    // The next health check sees the new host key too and sets the status.
    if (testResult.kind === 'host_key_changed') await runUnitOfWork(ports, actor, unit => unit.checkHostNow(address));
    return credentialTestError(address, testResult);
  }

  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit } = unit;
    const host = await records.hosts.lock(address);
    if (host === undefined) return hostNotFound(address);
    if (host.enrolment !== testedHost.enrolment) {
      return new AppError(
        'conflict',
        `the host ${address} was enrolled again while the credentials were tested; repeat the request`,
      );
    }
    // Stores exactly what was tested, even if the user was changed concurrently.
    await records.hostAccess.setCredentials(address, {
      remoteUser: user,
      transport,
      sshPrivKey: await ports.vault.seal(sshPrivKey, sshPrivateKeyLocation(address), records.dataKeys),
    });
    if (hostKeys.length === 0) await records.hostAccess.pinHostKey(address, testResult.hostKey);
    await emit({
      type: 'host.credentials_changed',
      subject: address,
      host: address,
      cluster: host.cluster,
      data: { remote_user: user },
    });
    if (host.status === 'failed') return restartBootstrap(unit, host);
    // The old credentials may have made the host unreachable.
    await unit.checkHostNow(address);
    return host;
  });
}

function credentialTestError(address: Address, { kind, detail, presentedKey }: TransportFailure): AppError {
  switch (kind) {
    case 'auth_rejected':
    case 'no_shell':
      return new AppError('credentials_rejected', `the host ${address} rejected the credentials: ${detail}`);
    case 'host_key_changed': {
      const fingerprint = presentedKey === undefined ? '' : `, ${hostKeyFingerprint(presentedKey)}`;
      return new AppError('host_key_changed', `the host ${address} presented an unknown host key${fingerprint}`);
    }
    case 'unreachable':
    case 'timed_out':
      return new AppError('host_unreachable', `cannot reach the host ${address} to test the credentials: ${detail}`);
  }
}
