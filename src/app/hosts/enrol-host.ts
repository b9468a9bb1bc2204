import type { Actor } from '../../domain/actor.ts';
import type { Address } from '../../domain/address.ts';
import { invalidBody, Refusal } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/host.ts';
import { newHost } from '../../domain/host.ts';
import { areSameHostKeys, isHostKey } from '../../domain/host-key.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { hostKeyPlace } from '../../domain/sealed-places.ts';
import type { Secret } from '../../domain/secret.ts';
import { newId } from '../../lib/new-id.ts';
import type { Records } from '../../store/records.ts';
import type { Change } from '../change.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { privateKeyRefusal } from './private-key-refusal.ts';
import { transportRefusal } from './transport-refusal.ts';

/** What was sent; what was not given is `undefined`. */
export interface EnrolHost {
  readonly address: Address;
  readonly sshPrivKey: Secret;
  readonly remoteUser: string | undefined;
  readonly sshPort: number | undefined;
  readonly hostKeys: readonly string[] | undefined;
  readonly transport: string | undefined;
  readonly cluster: RecordName | undefined;
  readonly source: string | undefined;
}

const DEFAULT_USER = 'root';
const DEFAULT_PORT = 22;

/** Makes a host's record, credentials, membership and the work of bootstrapping it, all or none; or finds it known as sent. */
export async function enrolHost(
  ports: Ports,
  actor: Actor,
  request: EnrolHost,
): Promise<PutResult<Host> | Refusal> {
  const { address, cluster, source } = request;
  if (source && !ports.hostSources.has(source)) {
    return invalidBody({ path: '/source', message: 'is not a host source of the configuration' });
  }
  const badTransport = transportRefusal(ports, request.transport);
  if (badTransport) return badTransport;
  const badHostKeys = (request.hostKeys ?? []).flatMap((line, index) => (isHostKey(line) ? [] : [index]));
  if (badHostKeys.length > 0) {
    const message = 'must be a public host key as in /etc/ssh/ssh_host_*_key.pub';
    return invalidBody(...badHostKeys.map(index => ({ path: `/host_keys/${index}`, message })));
  }
  // The key of a host that is known is compared, not looked into; that of a new one is, before anything is locked.
  const wasKnown = (await ports.store.reads.hosts.get(address)) !== undefined;
  const problem = wasKnown ? undefined : privateKeyRefusal(ports, request.sshPrivKey);
  if (problem) return problem;

  const enrolled = await change(ports, actor, async under => {
    const { records } = under;
    const isClusterKnown = cluster === undefined || (await records.clusters.lock(cluster)) !== undefined;
    const known = await records.hosts.lock(address);
    if (known) return compareWithKnown(ports, records, known, request);
    // It was removed since we looked.
    const lateProblem = wasKnown ? privateKeyRefusal(ports, request.sshPrivKey) : undefined;
    if (lateProblem) return lateProblem;
    if (!isClusterKnown) {
      return new Refusal('unknown_cluster', `there is no cluster ${cluster}; create it first`);
    }
    const host = newHost(address, { enrolment: newId(), source: source ?? '', cluster: cluster ?? null });
    const found = await records.hosts.insertOrLock(host);
    return found ? compareWithKnown(ports, records, found, request) : saveNew(ports, under, host, request);
  });
  if (source && !(enrolled instanceof Refusal) && enrolled.isNew) ports.readSource(source);
  return enrolled;
}

async function saveNew(
  { vault }: Ports,
  { records, tell, saveWork }: Change,
  host: Host,
  request: EnrolHost,
): Promise<PutResult<Host>> {
  const { address, enrolment, cluster } = host;
  const access: HostAccess = {
    remoteUser: request.remoteUser ?? DEFAULT_USER,
    sshPort: request.sshPort ?? DEFAULT_PORT,
    sshPrivKey: await vault.seal(request.sshPrivKey, hostKeyPlace(address), records.dataKeys),
    hostKeys: request.hostKeys ?? [],
    transport: request.transport ?? '',
    offeredHostKey: null,
  };
  await records.hostAccess.insert(address, access);
  await saveWork({ kind: 'bootstrap', host: address, enrolment });
  await tell({
    type: 'host.created',
    subject: address,
    host: address,
    cluster,
    data: { remote_user: access.remoteUser },
  });
  if (cluster) {
    await tell({ type: 'cluster.members', subject: cluster, cluster, data: { joined: [address], left: [] } });
  }
  return { record: host, isNew: true };
}

/** Fields that were not given are not compared. */
async function compareWithKnown(
  { vault }: Ports,
  records: Records,
  host: Host,
  request: EnrolHost,
): Promise<PutResult<Host> | Refusal> {
  const { address, cluster } = host;
  const access = await records.hostAccess.get(address);
  if (access === undefined) throw new Error(`the host ${address} has no credentials`);
  const differs = <T>(given: T | undefined, kept: T) => given !== undefined && given !== kept;
  // Without any given, those that the host showed first may have been learnt meanwhile.
  const { hostKeys = [] } = request;
  const keptKey = await vault.open(access.sshPrivKey, hostKeyPlace(address), records.dataKeys);
  const differing = Object.entries({
    ssh_priv_key: !keptKey.equals(request.sshPrivKey),
    remote_user: differs(request.remoteUser, access.remoteUser),
    ssh_port: differs(request.sshPort, access.sshPort),
    host_keys: hostKeys.length > 0 && !areSameHostKeys(hostKeys, access.hostKeys),
    transport: differs(request.transport, access.transport),
    source: differs(request.source, host.source),
  }).flatMap(([field, isOther]) => (isOther ? [field] : []));
  if (differing.length > 0) {
    return new Refusal('host_differs', `the host ${address} is known with another ${differing.join(', ')}`);
  }
  if (request.cluster === undefined || request.cluster === cluster) return { record: host, isNew: false };
  return cluster === null
    ? new Refusal(
        'conflict',
        `the host ${address} is known and not in ${request.cluster}; add it to the cluster's hosts`,
      )
    : new Refusal('host_in_other_cluster', `the host ${address} is in the cluster ${cluster}`);
}
