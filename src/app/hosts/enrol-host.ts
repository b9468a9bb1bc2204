import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/actor.ts';
import type { Address } from '../../domain/address.ts';
import { invalidBody, Refusal } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/host.ts';
import { newHost } from '../../domain/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Records } from '../../store/records.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { tell } from '../tell.ts';
import { keyPlace } from './key-place.ts';

/** What was sent; what was not given is `undefined`. */
export interface EnrolHost {
  readonly address: Address;
  readonly sshPrivKey: Secret;
  readonly remoteUser: string | undefined;
  readonly sshPort: number | undefined;
  readonly hostKeys: readonly string[] | undefined;
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
  const { store, hostSources } = ports;
  if (request.source && !hostSources.has(request.source)) {
    return invalidBody({ path: '/source', message: 'is not a host source of the configuration' });
  }
  return store.transaction(async records => {
    // The lock on the cluster comes first: it is the order of all who lock.
    const isClusterKnown =
      request.cluster === undefined || (await records.clusters.lock(request.cluster)) !== undefined;
    const known = await records.hosts.lock(request.address);
    if (known) return compareWithKnown(ports, records, known, request);
    const keyProblem = ports.privateKeyProblem(request.sshPrivKey.reveal());
    if (keyProblem) {
      const errors = [{ path: '/ssh_priv_key', message: keyProblem }];
      return new Refusal('invalid_private_key', `ssh_priv_key ${keyProblem}`, { errors });
    }
    if (!isClusterKnown) {
      return new Refusal('unknown_cluster', `there is no cluster ${request.cluster}; create it first`);
    }
    const host = newHost(request.address, request.source ?? '', request.cluster ?? null);
    if (await records.hosts.insert(host)) return saveNew(ports, records, actor, host, request);
    // Another server made it since we looked.
    const made = await records.hosts.lock(request.address);
    return made
      ? compareWithKnown(ports, records, made, request)
      : new Refusal('conflict', `${request.address} is being changed by another request; try again`);
  });
}

async function saveNew(
  { clock, vault }: Ports,
  records: Records,
  actor: Actor,
  host: Host,
  request: EnrolHost,
): Promise<PutResult<Host>> {
  const access: HostAccess = {
    remoteUser: request.remoteUser ?? DEFAULT_USER,
    sshPort: request.sshPort ?? DEFAULT_PORT,
    sshPrivKey: vault.seal(request.sshPrivKey, keyPlace(host.address)),
    hostKeys: request.hostKeys ?? [],
  };
  await records.hostAccess.insert(host.address, access);
  await records.work.save([{ kind: 'bootstrap', host: host.address }], formatTimestamp(clock.now()));
  const { address, cluster } = host;
  await tell(records, clock, actor, [
    {
      type: 'host.created',
      subject: address,
      host: address,
      cluster,
      data: { remote_user: access.remoteUser },
    },
    ...(cluster
      ? [
          {
            type: 'cluster.members' as const,
            subject: cluster,
            cluster,
            data: { joined: [address], left: [] },
          },
        ]
      : []),
  ]);
  return { record: host, isNew: true };
}

/** Fields that were not given are not compared. The key is compared as text, before anything looks into it. */
async function compareWithKnown(
  { vault }: Ports,
  records: Records,
  host: Host,
  request: EnrolHost,
): Promise<PutResult<Host> | Refusal> {
  const access = await records.hostAccess.get(host.address);
  if (access === undefined) throw new Error(`the host ${host.address} has no credentials`);
  const differs = (given: unknown, kept: unknown) => given !== undefined && !isDeepStrictEqual(given, kept);
  const differing = [
    vault.open(access.sshPrivKey, keyPlace(host.address)).equals(request.sshPrivKey) ? '' : 'ssh_priv_key',
    differs(request.remoteUser, access.remoteUser) ? 'remote_user' : '',
    differs(request.sshPort, access.sshPort) ? 'ssh_port' : '',
    differs(request.hostKeys, access.hostKeys) ? 'host_keys' : '',
    differs(request.source, host.source) ? 'source' : '',
  ].filter(Boolean);
  if (differing.length > 0) {
    return new Refusal(
      'host_differs',
      `the host ${host.address} is known with another ${differing.join(', ')}`,
    );
  }
  if (request.cluster !== undefined && request.cluster !== host.cluster) {
    return host.cluster === null
      ? new Refusal(
          'conflict',
          `the host ${host.address} is known and not in ${request.cluster}; add it to the cluster's hosts`,
        )
      : new Refusal('host_in_other_cluster', `the host ${host.address} is in the cluster ${host.cluster}`);
  }
  return { record: host, isNew: false };
}
