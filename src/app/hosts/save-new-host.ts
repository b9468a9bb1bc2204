import type { TokenReference } from '../../domain/accounts/account.ts';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import type { Host, HostAccess } from '../../domain/hosts/host.ts';
import { sshPrivateKeyLocation } from '../../domain/secret.ts';
import type { Change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import type { EnrolmentRequest } from './enrolment-request.ts';

/** Saves what belongs to a host whose record was just made. */
export async function saveNewHost(
  { vault }: Ports,
  { records, tell, saveWork, now }: Change,
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
  await saveWork({ kind: 'bootstrap', host: address, enrolment });
  await tell({
    type: 'host.created',
    subject: address,
    host: address,
    cluster,
    data: { remote_user: access.remoteUser, ...(token && { token: token.name }) },
  });
  if (cluster) {
    await tell({ type: 'cluster.members', subject: cluster, cluster, data: { joined: [address], left: [] } });
  }
  return { record: host, isNew: true };
}
