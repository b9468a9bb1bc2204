// Fills a store with some of everything, as people would over HTTP, and leaves an operation in the middle.

import type { Client } from '../../src/client/client.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { HOST_STATUSES } from '../../src/domain/vocabulary.ts';
import type { SimulatedFleet } from '../../src/drivers/transport/sim/simulated-fleet.ts';
import type { Service } from '../../src/server/compose.ts';
import { HOST_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { makeCluster } from '../harness/simulated-service.ts';
import { until } from '../harness/until.ts';
import type { Kept } from './kept-data.ts';

export const PASSWORDS = { admin: 'password of admin', vera: 'password of vera', otto: 'password of otto' };
/** Of the cluster whose restart is under way. */
const RESTARTED = ['127.91.0.1', '127.91.0.2', '127.91.0.3'];
const QUICKLY = { min_healthy_s: 1 };
const UPGRADED = ['127.92.0.1', '127.92.0.2'];
/** One for each status. */
const STILL = HOST_STATUSES.map((status, index) => ({ status, address: `127.93.0.${index + 1}` }));

/** While the pretend hosts are there: an upgrade that is over, and a restart that is not. Answers the id of the latter. */
export async function beginOperations(client: Client, fleet: SimulatedFleet): Promise<string> {
  const specs = (addresses: readonly string[], bootMs: number) =>
    Object.fromEntries(addresses.map(address => [address, { bootMs }]));
  await makeCluster({ client }, fleet, 'upgraded', specs(UPGRADED, 50));
  await client.putUpgrade({ name: 'upgraded', body: { policy: { ...QUICKLY, max_unavailable: 2 } } });
  await until('the upgrade is over', async () => {
    const { body } = await client.getUpgrade({ name: 'upgraded' });
    return body.status === 'finished';
  });
  await makeCluster({ client }, fleet, 'restarted', specs(RESTARTED, 500));
  await client.putRestart({ name: 'restarted', body: { policy: { ...QUICKLY, max_unavailable: 1 } } });
  return until('one host is done, and another under way', async () => {
    const [operation] = (await client.listOperations({ query: { cluster: 'restarted' } })).body;
    return operation && operation.counts.done > 0 && operation.counts.in_flight > 0 && operation.id;
  });
}

async function putRecords(client: Client): Promise<string> {
  const options = { server_url: 'https://127.0.0.1:6443', token: 'a-token-of-k3s' };
  await client.putContainerManager({ name: 'nodes', body: { type: 'k3s', options } });
  await client.putContainerManager({ name: 'plain', body: { type: 'trivial', options: {} } });
  await client.putNetwork({ name: 'lab', body: { type: 'none', options: {} } });
  await client.putCluster({ name: 'still', body: { network: 'lab', container_manager: 'plain' } });
  await client.putClusterPolicy({ name: 'still', body: { max_unavailable: '20%', max_failures: 2 } });
  await client.putAccount({ name: 'vera', body: { password: PASSWORDS.vera, role: 'viewer' } });
  await client.putAccount({ name: 'otto', body: { password: PASSWORDS.otto, role: 'operator' } });
  // Nothing is sent: it wants what does not happen.
  const hook = {
    url: 'https://127.0.0.1:9/events',
    events: ['log.pruned'],
    secret: 'a secret of the webhook',
  };
  await client.putWebhook({ name: 'chat', body: hook });
  const token = await client.putToken({ name: 'racks', body: { cluster: 'still', uses: 5 } });
  return token.body.secret ?? '';
}

async function enrolStill({ store }: Service, client: Client): Promise<void> {
  const body = { ssh_priv_key: PRIVATE_KEY, host_keys: [HOST_KEY], remote_user: 'core', ssh_port: 2222 };
  for (const { address, status } of STILL) {
    const cluster = status === 'disassociated' ? {} : { cluster: 'still' };
    await client.putHost({ address, body: { ...body, ...cluster } });
    await store.transaction(records => records.hosts.setStatus([address as Address], status));
  }
  const [{ address = '' } = {}] = STILL;
  await client.putHostLabels({ address, body: { rack: 'r1', ring: 'first' } });
  await client.putHostMaintenance({ address, body: { on: true, reason: 'a new disk' } });
}

const PATHS = [
  ...['clusters', 'hosts?extended=true', 'networks/', 'containermanagers/', 'users', 'tokens', 'webhooks'],
  ...['operations', 'identity', 'cluster/restarted', 'cluster/still', 'cluster/still/hosts'],
  ...['cluster/still/policy', 'cluster/upgraded/upgrade', 'containermanager/nodes', 'containermanager/plain'],
  ...['network/lab', 'user/vera', 'webhook/chat', 'token/racks', 'pause', 'audit?limit=1000'],
  ...STILL.flatMap(({ address }) => ['', '/status', '/creds', '/labels'].map(end => `host/${address}${end}`)),
  ...RESTARTED.map(address => `host/${address}/checks`),
].map(name => `/api/v0/${name}`.replace('/clusters', '/cluster/'));

/** While no host is reached: the rest. */
export async function fillStore(
  service: Service,
  client: Client,
  operationId: string,
): Promise<Omit<Kept, 'secretKey'>> {
  const tokenSecret = await putRecords(client);
  await enrolStill(service, client);
  const session = await client.beginSession({ body: {}, headers: { 'hostler-dashboard': '1' } });
  const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';');
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORDS.admin}`).toString('base64')}`;
  const answers: Record<string, unknown> = {};
  for (const target of [...PATHS, `/api/v0/operation/${operationId}`]) {
    const response = await fetch(service.url + target, { headers: { authorization } });
    if (response.status !== 200) throw new Error(`${target}: ${response.status} ${await response.text()}`);
    answers[target] = await response.json();
  }
  const operation = { id: operationId, hosts: RESTARTED };
  return { passwords: PASSWORDS, cookie, tokenSecret, operation, answers };
}
