import type { Actor } from '../../domain/accounts/account.ts';
import { canEnrolOthers } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import { AppError, appErrorFromFields, invalidBody } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { areSameHostKeys, isHostKey } from '../../domain/hosts/host-key.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';

/** Omitted fields are undefined. */
export interface EnrolmentRequest {
  readonly address: Address;
  /** Only requests with an enrolment token can omit it. The SSH key of the service is then used. */
  readonly sshPrivKey: Secret | undefined;
  readonly remoteUser: string | undefined;
  readonly sshPort: number | undefined;
  readonly hostKeys: readonly string[] | undefined;
  readonly transport: string | undefined;
  readonly cluster: RecordName | undefined;
  readonly source: string | undefined;
}

/** Checked as far as possible without locks. */
export interface ValidatedEnrolment {
  readonly request: EnrolmentRequest;
  /** Validates the private key if the host turns out to be new. */
  readonly validateKeyIfNew: () => AppError | undefined;
}

export interface AddressFields {
  readonly host?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Address for an enrolment without an address in the path: the address of the client, unless its role may enrol other
 * hosts.
 */
export function resolveEnrolmentAddress(actor: Actor, { host, address }: AddressFields): Address | AppError {
  const presentFields = Object.entries({ host, address }).filter(([, text]) => text !== undefined);
  const parsed = presentFields.map(([field, text = '']) => ({ field, address: parseAddress(text) }));
  const invalid = parsed.find(candidate => candidate.address === undefined);
  if (invalid) return invalidBody({ path: `/${invalid.field}`, message: ADDRESS_MESSAGE });
  const [requested] = parsed.map(candidate => candidate.address);
  if (parsed.some(candidate => candidate.address !== requested)) {
    return invalidBody({ path: '/address', message: 'must equal host if both are present' });
  }
  const callerAddress = parseAddress(actor.address);
  if (requested === undefined) {
    return callerAddress ?? new AppError('invalid_address', 'the address of the client is unknown; send it in host');
  }
  if (requested === callerAddress || canEnrolOthers(actor.role)) return requested;
  return new AppError(
    'address_mismatch',
    `this account can enrol only the address that it connects from, ${actor.address}`,
  );
}

/** Returns undefined if there is no key. */
export function validateSshPrivateKey(
  { validatePrivateKey }: Ports,
  sshPrivKey: Secret | undefined,
): AppError | undefined {
  const keyError = sshPrivKey && validatePrivateKey(sshPrivKey.reveal());
  if (keyError === undefined) return undefined;
  return appErrorFromFields('invalid_private_key', [{ path: '/ssh_priv_key', message: keyError }], 'the body');
}

/** Empty means the default transport. */
export function validateTransport({ transports }: Ports, transport = ''): AppError | undefined {
  const types = transports.map(({ type }) => type);
  if (transport === '' || types.includes(transport)) return undefined;
  return invalidBody({ path: '/transport', message: `must be one of ${types.join(', ')}, or empty` });
}

/** Checks that do not depend on stored records. */
export function validateEnrolment(
  ports: Ports,
  actor: Actor,
  { sshPrivKey, hostKeys = [], transport, source }: EnrolmentRequest,
): AppError | undefined {
  if (sshPrivKey === undefined && actor.token === undefined)
    return invalidBody({ path: '/ssh_priv_key', message: 'is required' });
  // The host keys verify the first connection, because no administrator has checked a host that enrols itself.
  if (hostKeys.length === 0 && actor.token !== undefined)
    return invalidBody({
      path: '/host_keys',
      message: 'is required with an enrolment token: send the public host keys',
    });
  if (source && !ports.hostSources.has(source))
    return invalidBody({ path: '/source', message: 'is not a configured host source' });
  const transportError = validateTransport(ports, transport);
  if (transportError) return transportError;
  const invalidHostKeys = hostKeys.flatMap((line, index) => (isHostKey(line) ? [] : [index]));
  if (invalidHostKeys.length === 0) return undefined;
  const message = 'must be a public host key, as in /etc/ssh/ssh_host_*_key.pub';
  return invalidBody(...invalidHostKeys.map(index => ({ path: `/host_keys/${index}`, message })));
}

/** Response to a PUT for an enrolled host. Omitted fields are not compared. */
export async function compareWithExistingHost(
  { vault }: Ports,
  records: Repositories,
  host: Host,
  request: EnrolmentRequest,
): Promise<PutResult<Host> | AppError> {
  const { address, cluster } = host;
  const access = await records.hostAccess.get(address);
  if (access === undefined) throw new Error(`the host ${address} has no credentials`);
  const differs = <T>(requested: T | undefined, stored: T) => requested !== undefined && requested !== stored;
  const hasDifferentKey = async (requested: Secret | undefined, { sshPrivKey: stored }: HostAccess) => {
    if (requested === undefined) return false;
    // A client cannot send the key of the service.
    if (stored === null) return true;
    return !(await vault.open(stored, sshPrivateKeyLocation(address), records.dataKeys)).equals(requested);
  };
  // If the request has no host keys, the pinned keys may come from the first connection.
  const { hostKeys = [] } = request;
  const differingFields = Object.entries({
    ssh_priv_key: await hasDifferentKey(request.sshPrivKey, access),
    remote_user: differs(request.remoteUser, access.remoteUser),
    ssh_port: differs(request.sshPort, access.sshPort),
    host_keys: hostKeys.length > 0 && !areSameHostKeys(hostKeys, access.hostKeys),
    transport: differs(request.transport, access.transport),
    source: differs(request.source, host.source),
  }).flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));
  if (differingFields.length > 0) {
    return new AppError(
      'host_conflict',
      `the host ${address} is already enrolled with a different ${differingFields.join(', ')}; to enrol it again, remove it first`,
      {
        errors: differingFields.map(field => ({
          path: `/${field}`,
          message: 'differs from the enrolled host',
        })),
      },
    );
  }
  if (request.cluster === undefined || request.cluster === cluster) return { record: host, isNew: false };
  return cluster === null
    ? new AppError(
        'conflict',
        `the host ${address} is already enrolled and is not a member of ${request.cluster}; add it to the cluster instead`,
      )
    : new AppError(
        'host_in_other_cluster',
        `the host ${address} is a member of the cluster ${cluster}; remove it from that cluster first`,
      );
}
