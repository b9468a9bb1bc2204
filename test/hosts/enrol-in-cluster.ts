import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { RealHost } from '../harness/real-hosts/real-host.ts';
import type { TestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { CLUSTER } from './followed-operation.ts';
import { hostStatus } from './host-status.ts';

const DEADLINE_MS = 90_000;

/** Creates the cluster, enrols the hosts as its members and waits until all are active. */
export async function enrolInCluster(
  service: TestService,
  hosts: readonly RealHost[],
  { remoteUser = 'root', containerManager = '' } = {},
): Promise<void> {
  const { privateKeyBase64 } = await loginKey();
  const { client } = service;
  await client.putCluster({
    name: CLUSTER,
    body: { network: 'default', container_manager: containerManager },
  });
  for (const { address, port } of hosts)
    await client.putHost({
      address,
      body: {
        ssh_priv_key: privateKeyBase64,
        ssh_port: port,
        remote_user: remoteUser,
        cluster: CLUSTER,
      },
    });
  for (const { name, address } of hosts)
    await waitUntil(
      `${name} is active`,
      async () => (await hostStatus(service, address)).status === 'active',
      DEADLINE_MS,
    );
}
