import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { toy } from '../example-drivers/toy-container-manager.ts';
import { startToyServer } from '../example-drivers/toy-container-manager-server.ts';
import { freePort } from '../harness/http/sockets.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

let service: TestService;
let server: Awaited<ReturnType<typeof startToyServer>>;

beforeAll(async () => {
  server = await startToyServer();
  const drivers = { ...standardDrivers, container_manager: [...standardDrivers.container_manager, toy] };
  service = await startTestService('sqlite', {}, { drivers });
});
afterAll(async () => {
  await service.stop();
  server.stop();
});

const makeToy = (name: string, server_url: string) =>
  service.put(`/api/v0/containermanager/${name}`, { type: 'toy', options: { server_url, token: 'hush' } });
const check = async (name: string) => (await service.put(`/api/v0/containermanager/${name}/check`)).body;

describe('GET /drivers', () => {
  test('returns every driver of each kind with the schema of its options', async () => {
    const { body } = await service.get('/api/v0/drivers');
    const { container_manager, network, host_source, os, transport } = body as Record<string, { type: string }[]>;
    const types = (list: { type: string }[] | undefined) => list?.map(({ type }) => type);
    expect(types(container_manager)).toEqual(['kubernetes', 'openshift', 'k3s', 'swarm', 'trivial', 'toy']);
    expect(types(network)).toEqual(['none', 'flannel_etcd', 'flannel_kube', 'flannel_server']);
    expect(types(host_source)).toEqual(['kubernetes', 'etcd', 'http', 'file']);
    expect(types(transport)).toEqual(['ssh', 'openssh']);
    expect(os).toContainEqual(expect.objectContaining({ type: 'apt', systems: ['debian', 'ubuntu'] }));
    expect(container_manager?.at(-1)).toMatchObject({
      summary: 'A toy',
      options: {
        type: 'object',
        additionalProperties: false,
        required: ['server_url', 'token'],
        properties: { token: { type: 'string', secret: true }, ca_path: { type: 'string' } },
      },
    });
  });
});

describe('PUT /containermanager/{NAME}/check and PUT /network/{NAME}/check', () => {
  test('returns ok and the version of a reachable server', async () => {
    await makeToy('reachable', server.url);
    expect(await check('reachable')).toEqual({
      name: 'reachable',
      type: 'toy',
      ok: true,
      version: '1',
      problems: [],
    });
  });

  test('returns the connection error of an unreachable server, without the token', async () => {
    const port = await freePort();
    await makeToy('gone', `http://127.0.0.1:${port}`);
    expect(await check('gone')).toEqual({
      ...{ name: 'gone', type: 'toy', ok: false, version: '' },
      problems: [`http://127.0.0.1:${port} does not respond: connection refused`],
    });
  });

  test('returns 404 for an unknown record', async () => {
    expect(await service.errorCode(service.put('/api/v0/containermanager/no/check'))).toBe('404 not_found');
    expect(await service.errorCode(service.put('/api/v0/network/no/check'))).toBe('404 not_found');
  });

  test('returns ok for a network', async () => {
    const { body } = await service.put('/api/v0/network/default/check');
    expect(body).toEqual({ name: 'default', type: 'none', ok: true, version: '', problems: [] });
  });
});

describe('an operation that the container manager does not support', () => {
  test('is rejected with the reason, also as a dry run', async () => {
    await makeToy('owner', server.url);
    await service.put('/api/v0/cluster/owned', { network: 'default', container_manager: 'owner' });
    const deploy = (policy?: object) => service.put('/api/v0/cluster/owned/deploy', { version: '44', policy });
    for (const request of [deploy(), deploy({ dry_run: true })]) {
      const { status, body } = await request;
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({
          code: 'operation_not_supported',
          detail: 'the cluster owned does not support deploy: the toy owns the systems of its nodes',
        }),
      ]);
    }
    expect((await service.put('/api/v0/cluster/owned/restart')).status).toBe(201);
  });
});
