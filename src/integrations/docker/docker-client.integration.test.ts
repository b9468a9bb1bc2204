import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../test/harness/certificates/certificate-authority.ts';
import { testEngineConformance } from '../../../test/harness/fake-docker/engine-conformance.ts';
import { EngineServer } from '../../../test/harness/fake-docker/engine-server.ts';
import { ConnectionPool } from '../http/connection-pool.ts';
import type { JsonClientOptions } from '../http/json-client.ts';
import { DockerClient, dockerHttpUrl } from './docker-client.ts';

const connections = new ConnectionPool();
afterAll(() => connections.close());

describe('simulated Docker Engine', () => {
  const [manager, worker] = [new EngineServer(), new EngineServer()];
  beforeAll(() => Promise.all([manager.start(), worker.start()]));
  beforeEach(() => {
    for (const server of [manager, worker]) server.reset();
    worker.swarm.controlAvailable = false;
    manager.swarm.add('127.0.0.9', { reachability: 'reachable' });
    manager.swarm.addTask(manager.swarm.add('127.0.0.1'));
  });
  afterAll(() => Promise.all([manager.stop(), worker.stop()]));

  testEngineConformance({
    manager: () => new DockerClient({ url: manager.url, connections }),
    worker: () => new DockerClient({ url: worker.url, connections }),
  });
});

describe('DockerClient', () => {
  const server = new EngineServer();
  beforeAll(() => server.start());
  beforeEach(() => server.reset());
  afterAll(() => server.stop());

  const open = (access: Partial<JsonClientOptions> = {}) =>
    new DockerClient({ url: server.url, connections, timeoutMs: 300, ...access });

  test.each([
    ['does not respond', 'hang_response', /did not respond in time/],
    [
      'fails, without its message',
      { status: 500, body: { message: 'secret' } },
      /rejected the request \(500\): the reason is shown only over TLS$/,
    ],
    [
      'has no leader',
      { status: 500, body: { message: 'rpc error: no leader' } },
      /rejected the request \(500\): the swarm has no leader/,
    ],
    ['sends an unexpected body', { status: 200, body: [{ ID: 1 }] }, /cannot parse the list of nodes of the Engine/],
    ['sends no JSON', { status: 200 }, /cannot parse/],
  ] as const)('reports a server that %s', async (_what, reply, reason) => {
    server.before = () => reply;
    await expect(open().listNodes()).rejects.toThrow(reason);
  });

  test('does not treat other errors as conflicts', async () => {
    const node = server.swarm.add('127.0.0.1');
    server.before = () => ({ status: 500, body: { message: 'rpc error: no leader' } });
    await expect(open().updateNode(node, node.Spec)).rejects.toThrow(/no leader/);
  });

  test('accepts null labels', async () => {
    server.swarm.add('127.0.0.1', { labels: null });
    expect((await open().listNodes())[0]?.Spec.Labels).toBeNull();
  });

  test('sends nothing after mayProceed returns false', async () => {
    const node = server.swarm.add('127.0.0.1');
    const aborted = open({ mayProceed: () => false });
    await expect(aborted.updateNode(node, node.Spec)).rejects.toMatchObject({ kind: 'aborted' });
    await expect(aborted.removeNode(node)).rejects.toMatchObject({ kind: 'aborted' });
    expect(server.requests).toEqual([]);
  });
});

describe('DockerClient with client certificates', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-engine-'));
  let server: EngineServer;
  let files: { caPath: string; certificatePath: string; certificateKeyPath: string };
  beforeAll(async () => {
    const authority = new CertificateAuthority(folder, 'test authority');
    const [shown, own] = [authority.issue('/CN=engine', ['IP:127.0.0.1']), authority.issue('/CN=client')];
    server = await new EngineServer({ tls: { ...shown, caPath: authority.caPath } }).start();
    files = { caPath: authority.caPath, certificatePath: own.cert, certificateKeyPath: own.key };
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const open = (used: Partial<typeof files>) =>
    new DockerClient({ url: server.url.replace('https', 'tcp'), files: used, connections });

  test('authenticates with its certificate, also at a tcp:// URL', async () => {
    expect(await open(files).version()).toMatchObject({ Version: '20.10.24' });
    expect(open(files).displayName).toBe(server.url);
  });

  test('rejects a server certificate of an unknown CA', async () => {
    const { certificatePath, certificateKeyPath } = files;
    const distrusting = open({ certificatePath, certificateKeyPath });
    await expect(distrusting.version()).rejects.toMatchObject({ kind: 'untrusted' });
  });

  test('fails without a client certificate', async () => {
    await expect(open({ caPath: files.caPath }).version()).rejects.toThrow(server.url);
  });
});

test.each([
  ['tcp://10.0.0.1:2376', {}, 'http://10.0.0.1:2376'],
  ['tcp://10.0.0.1:443', { caPath: '/ca' }, 'https://10.0.0.1:443'],
  ['tcp://manager', {}, 'http://manager:2375'],
  ['tcp://manager', { certificatePath: '/c', certificateKeyPath: '/k' }, 'https://manager:2376'],
  ['tcp://manager/docker', { caPath: undefined }, 'http://manager:2375/docker'],
  ['tcp://[fd00::1]', { caPath: '/ca' }, 'https://[fd00::1]:2376'],
  ['tcp://[fd00::1]:99/', {}, 'http://[fd00::1]:99/'],
  ['http://manager:2375', { caPath: '/ca' }, 'http://manager:2375'],
  ['https://manager', {}, 'https://manager'],
])('dockerHttpUrl converts %s with the TLS files %j to %s', (url, files, expected) => {
  expect(dockerHttpUrl(url, files)).toBe(expected);
});
