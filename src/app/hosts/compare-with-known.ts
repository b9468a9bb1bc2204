import { AppError } from '../../domain/errors.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { areSameHostKeys } from '../../domain/hosts/host-key.ts';
import type { Secret } from '../../domain/secret.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import type { Records } from '../../store/records.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import type { EnrolmentRequest } from './enrolment-request.ts';

/** What a PUT of a host that is known answers. Fields that were not given are not compared. */
export async function compareWithKnown(
  { vault }: Ports,
  records: Records,
  host: Host,
  request: EnrolmentRequest,
): Promise<PutResult<Host> | AppError> {
  const { address, cluster } = host;
  const access = await records.hostAccess.get(address);
  if (access === undefined) throw new Error(`the host ${address} has no credentials`);
  const differs = <T>(given: T | undefined, kept: T) => given !== undefined && given !== kept;
  const isOtherKey = async (given: Secret | undefined, { sshPrivKey: kept }: HostAccess) => {
    if (given === undefined) return false;
    // Nobody can send the service's own.
    if (kept === null) return true;
    return !(await vault.open(kept, sshPrivateKeyLocation(address), records.dataKeys)).equals(given);
  };
  // Without any given, those that the host showed first may have been learnt meanwhile.
  const { hostKeys = [] } = request;
  const differing = Object.entries({
    ssh_priv_key: await isOtherKey(request.sshPrivKey, access),
    remote_user: differs(request.remoteUser, access.remoteUser),
    ssh_port: differs(request.sshPort, access.sshPort),
    host_keys: hostKeys.length > 0 && !areSameHostKeys(hostKeys, access.hostKeys),
    transport: differs(request.transport, access.transport),
    source: differs(request.source, host.source),
  }).flatMap(([field, isOther]) => (isOther ? [field] : []));
  if (differing.length > 0) {
    return new AppError(
      'host_conflict',
      `the host ${address} is already enrolled with a different ${differing.join(', ')}; to enrol it again, remove it first`,
      { errors: differing.map(field => ({ path: `/${field}`, message: 'differs from the enrolled host' })) },
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
