import type { Client } from '../../src/sdk/client.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { RealHost } from '../harness/real-hosts/real-host.ts';
import { CLUSTER } from './followed-operation.ts';

/** Creates the cluster, enrols the hosts as its members and waits until all are active. */
export async function enrolInCluster(
  client: Client,
  hosts: readonly RealHost[],
  { remoteUser = 'root', containerManager = '' } = {},
): Promise<void> {
  const access = { ssh_priv_key: (await loginKey()).privateKeyBase64, remote_user: remoteUser };
  const members = hosts.map(({ address, port }) => ({ address, ssh_port: port, ...access }));
  await createActiveCluster(client, CLUSTER, members, { containerManager });
}
