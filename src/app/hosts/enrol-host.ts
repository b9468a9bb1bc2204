import type { Actor, TokenReference } from '../../domain/accounts/account.ts';
import { checkTokenEnrolment } from '../../domain/accounts/enrolment-token.ts';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import { AppError, RetryTransaction } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { areSameHostKeys } from '../../domain/hosts/host-key.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { newId } from '../../lib/random.ts';
import { referencedClusterNotFound } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult, UnitOfWork } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { EnrolmentRequest, ValidatedEnrolment } from './validate-enrolment.ts';
import { compareWithExistingHost, validateEnrolment, validateSshPrivateKey } from './validate-enrolment.ts';

/** Stores the access data, task and events of a new host. */
export async function insertHostDetails(
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

/** Enrols a host on behalf of an account that provides the private key. */
export async function enrolWithKey(
  ports: Ports,
  unit: UnitOfWork,
  { request, validateKeyIfNew }: ValidatedEnrolment,
): Promise<PutResult<Host> | AppError> {
  const { records } = unit;
  const { address, cluster, source = '' } = request;
  const clusterExists = cluster === undefined || (await records.clusters.lock(cluster)) !== undefined;
  const existingHost = await records.hosts.lock(address);
  if (existingHost) return compareWithExistingHost(ports, records, existingHost, request);
  const error = validateKeyIfNew();
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

/**
 * Enrols the calling host. The token use is counted in the same transaction, so concurrent hosts cannot exceed the
 * limit.
 */
export async function enrolWithToken(
  ports: Ports,
  unit: UnitOfWork,
  { token: { id, name }, request, validateKeyIfNew }: TokenEnrolment,
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
    ...{ token, address, clusterExists, cluster: request.cluster },
    now: formatTimestamp(await records.nowMs()),
    existingHost: access && {
      isEnrolledByToken: access.enrolledByToken === id,
      hasSameHostKeys: areSameHostKeys(hostKeys, access.hostKeys),
    },
  });
  if (result instanceof AppError) return result;
  // The cluster is not compared, because users may have moved the host since.
  if (existingHost) return compareWithExistingHost(ports, records, existingHost, { ...request, cluster: undefined });
  const error = validateKeyIfNew();
  if (error) return error;
  const host = newHost(address, { enrolment: newId(), source, cluster });
  // The host was created concurrently; the retry takes the path of an existing host.
  if (await records.hosts.insertOrLock(host)) throw new RetryTransaction();
  await records.enrolmentTokens.setUsed(name, token.used + 1);
  return insertHostDetails(ports, unit, host, { request, token });
}

/**
 * Creates the host, credentials, membership and bootstrap task in one transaction, or accepts an identical enrolment.
 */
export async function enrolHost(
  ports: Ports,
  actor: Actor,
  request: EnrolmentRequest,
): Promise<PutResult<Host> | AppError> {
  const { address, source, sshPrivKey } = request;
  const error = validateEnrolment(ports, actor, request);
  if (error) return error;
  // The key of a new host is validated before anything is locked. The key of an existing host is only compared.
  const existed = (await ports.store.reads.hosts.get(address)) !== undefined;
  const keyError = existed ? undefined : validateSshPrivateKey(ports, sshPrivKey);
  if (keyError) return keyError;

  const { token } = actor;
  const enrolled = await runUnitOfWork(ports, actor, unit => {
    // The host may have been removed since the read above.
    const validateKeyIfNew = () => (existed ? validateSshPrivateKey(ports, sshPrivKey) : undefined);
    return token
      ? enrolWithToken(ports, unit, { token, request, validateKeyIfNew })
      : enrolWithKey(ports, unit, { request, validateKeyIfNew });
  });
  if (source && !(enrolled instanceof AppError) && enrolled.isNew) ports.refreshSource(source);
  return enrolled;
}
