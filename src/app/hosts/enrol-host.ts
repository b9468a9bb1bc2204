import type { Actor, TokenReference } from '../../domain/accounts/account.ts';
import { canEnrolOthers } from '../../domain/accounts/account.ts';
import { checkTokenEnrolment } from '../../domain/accounts/enrolment-token.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import { AppError, appErrorFromFields, invalidBody, RetryTransaction } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { areSameHostKeys, isHostKey } from '../../domain/hosts/host-key.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { newId } from '../../lib/random.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import { referencedClusterNotFound } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult, UnitOfWork } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';

export interface EnrolmentRequest {
  readonly address: Address;
  /** Omitted only with an enrolment token: the SSH key of the service is used. */
  readonly sshPrivKey: Secret | undefined;
  readonly remoteUser: string | undefined;
  readonly sshPort: number | undefined;
  readonly hostKeys: readonly string[] | undefined;
  readonly transport: string | undefined;
  readonly cluster: RecordName | undefined;
  readonly source: string | undefined;
}

interface ValidatedEnrolment {
  readonly request: EnrolmentRequest;
  readonly validateKeyIfHostWasRemoved: () => AppError | undefined;
}

export interface AddressFields {
  readonly host?: string | undefined;
  readonly address?: string | undefined;
}

/** For a request without an address in the path. Some roles may enrol only the host that sends the request. */
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

export function validateSshPrivateKey(
  { validatePrivateKey }: Ports,
  sshPrivKey: Secret | undefined,
): AppError | undefined {
  const keyError = sshPrivKey && validatePrivateKey(sshPrivKey.reveal());
  if (keyError === undefined) return undefined;
  return appErrorFromFields('invalid_private_key', [{ path: '/ssh_priv_key', message: keyError }], 'the body');
}

/** Empty: the default. */
export function validateTransport({ transports }: Ports, transport = ''): AppError | undefined {
  const types = transports.map(({ type }) => type);
  if (transport === '' || types.includes(transport)) return undefined;
  return invalidBody({ path: '/transport', message: `must be one of ${types.join(', ')}, or empty` });
}

/** Does not read the store. */
function validateEnrolment(
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

/** Omitted fields are not compared. */
async function compareWithExistingHost(
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
  // Without host keys in the request, the pinned keys may come from the first connection.
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
      { errors: differingFields.map(field => ({ path: `/${field}`, message: 'differs from the enrolled host' })) },
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

async function insertHostDetails(
  { vault }: Ports,
  { records, emit, createTasks, now }: UnitOfWork,
  host: Host,
  { request, token }: { readonly request: EnrolmentRequest; readonly token?: TokenReference },
): Promise<PutResult<Host>> {
  const { address, enrolment, cluster } = host;
  const { sshPrivKey: key } = request;
  const access: HostAccess = {
    remoteUser: request.remoteUser ?? DEFAULT_REMOTE_USER,
    sshPort: request.sshPort ?? DEFAULT_SSH_PORT,
    sshPrivKey: key ? await vault.seal(key, sshPrivateKeyLocation(address), records.dataKeys) : null,
    hostKeys: request.hostKeys ?? [],
    transport: request.transport ?? '',
    pendingHostKey: null,
    enrolledByToken: token?.id ?? null,
  };
  await records.hostAccess.insert(address, access);
  await records.hosts.setStatusSince(address, now());
  await createTasks({ kind: 'bootstrap', host: address, enrolment });
  await emit({
    type: 'host.created',
    subject: address,
    host: address,
    cluster,
    data: { remote_user: access.remoteUser, ...(token && { token: token.name }) },
  });
  if (cluster) {
    await emit({ type: 'cluster.members', subject: cluster, cluster, data: { joined: [address], left: [] } });
  }
  return { record: host, isNew: true };
}

async function enrolWithKey(
  ports: Ports,
  unit: UnitOfWork,
  { request, validateKeyIfHostWasRemoved }: ValidatedEnrolment,
): Promise<PutResult<Host> | AppError> {
  const { records } = unit;
  const { address, cluster, source = '' } = request;
  const clusterExists = cluster === undefined || (await records.clusters.lock(cluster)) !== undefined;
  const existingHost = await records.hosts.lock(address);
  if (existingHost) return compareWithExistingHost(ports, records, existingHost, request);
  const error = validateKeyIfHostWasRemoved();
  if (error) return error;
  if (cluster !== undefined && !clusterExists) return referencedClusterNotFound(cluster);
  const host = newHost(address, { enrolment: newId(), source, cluster: cluster ?? null });
  const concurrentHost = await records.hosts.insertOrLock(host);
  return concurrentHost
    ? compareWithExistingHost(ports, records, concurrentHost, request)
    : insertHostDetails(ports, unit, host, { request });
}

interface TokenEnrolment extends ValidatedEnrolment {
  readonly token: TokenReference;
}

/** The token use is counted in the same transaction, so concurrent hosts cannot exceed the limit. */
async function enrolWithToken(
  ports: Ports,
  unit: UnitOfWork,
  { token: { id, name }, request, validateKeyIfHostWasRemoved }: TokenEnrolment,
): Promise<PutResult<Host> | AppError> {
  const { records } = unit;
  const { address, hostKeys = [], source = '' } = request;
  const token = await records.enrolmentTokens.lock(name);
  if (token?.id !== id)
    return new AppError('unauthorized', 'the enrolment token was removed; ask an administrator for a new one');
  const { cluster } = token;
  const clusterExists = cluster === null || (await records.clusters.lock(cluster)) !== undefined;
  const existingHost = await records.hosts.lock(address);
  const access = existingHost && (await records.hostAccess.get(address));
  const result = checkTokenEnrolment({
    token,
    address,
    cluster: request.cluster,
    clusterExists,
    now: formatTimestamp(await records.nowMs()),
    existingHost: access && {
      isEnrolledByToken: access.enrolledByToken === id,
      hasSameHostKeys: areSameHostKeys(hostKeys, access.hostKeys),
    },
  });
  if (result instanceof AppError) return result;
  // The cluster is not compared: users may have moved the host since.
  if (existingHost) return compareWithExistingHost(ports, records, existingHost, { ...request, cluster: undefined });
  const error = validateKeyIfHostWasRemoved();
  if (error) return error;
  const host = newHost(address, { enrolment: newId(), source, cluster });
  // The host was created concurrently; the retry takes the path of an existing host.
  if (await records.hosts.insertOrLock(host)) throw new RetryTransaction();
  await records.enrolmentTokens.setUsed(name, token.used + 1);
  return insertHostDetails(ports, unit, host, { request, token });
}

/** An identical enrolment is accepted. */
export async function enrolHost(
  ports: Ports,
  actor: Actor,
  request: EnrolmentRequest,
): Promise<PutResult<Host> | AppError> {
  const { address, source, sshPrivKey } = request;
  const error = validateEnrolment(ports, actor, request);
  if (error) return error;
  // The key of an existing host is only compared. A new key is validated before anything is locked.
  const existed = (await ports.store.reads.hosts.get(address)) !== undefined;
  const keyError = existed ? undefined : validateSshPrivateKey(ports, sshPrivKey);
  if (keyError) return keyError;

  const { token } = actor;
  const enrolled = await runUnitOfWork(ports, actor, unit => {
    // The host may have been removed since the read above.
    const validateKeyIfHostWasRemoved = () => (existed ? validateSshPrivateKey(ports, sshPrivKey) : undefined);
    return token
      ? enrolWithToken(ports, unit, { token, request, validateKeyIfHostWasRemoved })
      : enrolWithKey(ports, unit, { request, validateKeyIfHostWasRemoved });
  });
  if (source && !(enrolled instanceof AppError) && enrolled.isNew) ports.refreshSource(source);
  return enrolled;
}
