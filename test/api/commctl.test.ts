// commctl is the client of Commissaire. Each of its commands is tested with the requests that it sends.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { commctlRequests } from '../harness/programs/commctl-requests.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

describe('commctl with HOSTLER_COMPAT=commissaire', () => {
  let service: TestService;
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-commctl-'));
  const key = path.join(folder, 'key');
  beforeAll(async () => {
    writeFileSync(key, Buffer.from(PRIVATE_KEY, 'base64'));
    service = await startTestService('sqlite', { HOSTLER_COMPAT: 'commissaire' });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const send = async (command: string, as?: string) => {
    const responses = [];
    for (const { method, path: requestPath, body } of commctlRequests(command.replace('KEY', key).split(' ')))
      responses.push(await service.request(method, requestPath, { body, ...(as !== undefined && { as }) }));
    return responses;
  };

  // The order matters: later commands use records of earlier ones.
  test.each([
    ['network list', [200], [['default']]],
    ['network create lab -t flannel_server -o {"address":"127.0.0.1:8472"}', [201], [{ type: 'flannel_server' }]],
    ['network create etcd', [201], [{ type: 'flannel_etcd', options: {} }]],
    ['network get lab', [200], [{ name: 'lab' }]],
    ['container_manager create plain -t trivial', [201], [{ type: 'trivial' }]],
    ['container_manager create plain -t trivial', [201], [{ type: 'trivial' }]],
    ['container_manager list', [200], [['plain']]],
    ['container_manager get plain', [200], [{ name: 'plain', type: 'trivial' }]],
    ['cluster list', [200], [[]]],
    ['cluster create web', [201], [{ name: 'web', network: 'default' }]],
    ['cluster create hosts -t host_only -n lab', [201], [{ network: 'lab' }]],
    ['cluster create managed --container-manager plain', [201], [{ container_manager: 'plain' }]],
    ['cluster list', [200], [['hosts', 'managed', 'web']]],
    ['cluster get web', [200], [{ name: 'web', hosts: { total: 0 } }]],
    ['host create 127.0.0.1 KEY -c web', [201], [{ address: '127.0.0.1', status: 'investigating' }]],
    ['host create 127.0.0.1 KEY -c web', [201], [{ address: '127.0.0.1' }]],
    ['host create 127.0.0.2 KEY', [201], [{ address: '127.0.0.2' }]],
    ['host list', [200], [[{ address: '127.0.0.1' }, { address: '127.0.0.2' }]]],
    ['host list web', [200], [['127.0.0.1']]],
    ['host get 127.0.0.1', [200], [{ address: '127.0.0.1' }]],
    ['host status 127.0.0.1', [200], [{ type: 'host_only', host: { status: 'investigating' } }]],
    ['host join 127.0.0.2 web', [409], [{ code: 'host_not_ready' }]],
    ['host unjoin 127.0.0.1 web', [200], [[]]],
    ['cluster restart status web', [404], [{ code: 'not_found' }]],
    ['cluster restart start web', [201], [{ name: 'web', restarted: [] }]],
    ['cluster restart status web', [200], [{ name: 'web' }]],
    ['cluster upgrade start hosts', [201], [{ name: 'hosts', upgraded: [] }]],
    ['cluster upgrade status hosts', [200], [{ name: 'hosts' }]],
    ['cluster deploy start managed 1.2', [201], [{ name: 'managed', version: '1.2', deployed: [] }]],
    ['cluster deploy status managed', [200], [{ version: '1.2' }]],
    ['host delete 127.0.0.1 127.0.0.2', [200, 200], [[], []]],
    ['container_manager delete other', [200], [[]]],
    ['network delete etcd default', [200, 409], [[], { code: 'built_in' }]],
    ['cluster get nothing', [404], [{ code: 'not_found' }]],
  ] as const)('`commctl %s` gets the expected responses', async (command, statuses, bodies) => {
    const responses = await send(command);
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    expect(responses.map(({ body }) => body)).toMatchObject(bodies);
  });

  test('a host enrols itself at boot with its user data', async () => {
    const as = await service.makeAccount('hosts', 'enrol');
    const body = { remote_user: 'root', ssh_priv_key: PRIVATE_KEY, cluster: 'web' };
    expect(await service.put('/api/v0/host', body, { as })).toMatchObject({
      status: 201,
      body: { address: '127.0.0.1' },
    });
  });

  test('wrong credentials return 403, as in Commissaire', async () => {
    const [response] = await send('cluster list', 'admin:wrong');
    expect(response?.status).toBe(403);
  });
});
