import type { Client } from '../../src/sdk/client.ts';
import type { EnrolBody } from '../../src/sdk/enrolment.ts';
import { PRIVATE_KEY } from './credentials.ts';
import { waitUntil } from './wait-until.ts';

/** Creates a cluster, enrols the hosts as its members and waits until all are active. */
export async function createActiveCluster(
  client: Client,
  name: string,
  hosts: readonly (Partial<EnrolBody> & { readonly address: string })[],
  { containerManager = '', deadlineMs = 90_000 } = {},
): Promise<void> {
  await client.putCluster({ name, body: { network: 'default', container_manager: containerManager } });
  const body = { hosts: hosts.map(host => ({ ssh_priv_key: PRIVATE_KEY, cluster: name, ...host })) };
  for (const { problem } of (await client.enrolHosts({ body })).body) if (problem) throw new Error(problem.detail);
  let active = 0;
  const allAreActive = async () => {
    active = (await client.getCluster({ name })).body.hosts.available;
    return active === hosts.length;
  };
  await waitUntil(() => `all hosts of ${name} are active; ${active} are`, allAreActive, deadlineMs);
}
