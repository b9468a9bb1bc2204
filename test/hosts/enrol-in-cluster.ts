import { loginKey } from '../harness/hosts/login-key.ts';
import type { RealHost } from '../harness/hosts/real-host.ts';
import type { TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { CLUSTER } from './followed-operation.ts';
import { hostStatus } from './host-status.ts';

const DEADLINE_MS = 90_000;

/** Makes the cluster, enrols hosts as its members, and waits until all are active. */
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
    await until(
      `${name} is active`,
      async () => (await hostStatus(service, address)).status === 'active',
      DEADLINE_MS,
    );
}
