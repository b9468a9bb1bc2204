import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAuthority } from '../../../test/harness/certificates/certificate-authority.ts';
import { engineConforms } from '../../../test/harness/pretend-docker/engine-conformance.ts';
import { EngineServer } from '../../../test/harness/pretend-docker/engine-server.ts';
import { ConnectionPool } from '../http/connection-pool.ts';
import type { JsonClientOptions } from '../http/json-client.ts';
import { DockerClient, dockerHttpUrl } from './docker-client.ts';

const connections = new ConnectionPool();
afterAll(() => connections.close());

describe('the pretend Engine', () => {
  const [manager, worker] = [new EngineServer(), new EngineServer()];
  beforeAll(async () => {
    await Promise.all([manager.start(), worker.start()]);
    worker.swarm.controlAvailable = false;
    manager.swarm.add('127.0.0.9', { reachability: 'reachable' });
    manager.swarm.run(manager.swarm.add('127.0.0.1'));
  });
  afterAll(() => Promise.all([manager.stop(), worker.stop()]));

  engineConforms({
    manager: () => new DockerClient({ url: manager.url, connections }),
    worker: () => new DockerClient({ url: worker.url, connections }),
  });
});

describe('a client of an Engine', () => {
  const server = new EngineServer();
  beforeAll(() => server.start());
  beforeEach(() => server.reset());
  afterAll(() => server.stop());

  const open = (access: Partial<JsonClientOptions> = {}) =>
    new DockerClient({ url: server.url, connections, timeoutMs: 300, ...access });

  test.each([
    ['does not answer', 'hang', /did not respond in time/],
    [
      'is broken, without its text',
      { status: 500, body: { message: 'secret' } },
      /rejected the request \(500\): the reason is shown only over TLS$/,
    ],
    [
      'has no leader',
      { status: 500, body: { message: 'rpc error: no leader' } },
      /rejected the request \(500\): the swarm has no leader/,
    ],
    ['says nonsense', { status: 200, body: [{ ID: 1 }] }, /cannot parse the list of nodes of the Engine/],
    ['says no JSON', { status: 200 }, /cannot parse/],
  ] as const)('tells people that it %s', async (_what, answer, reason) => {
    server.before = () => answer;
    await expect(open().listNodes()).rejects.toThrow(reason);
  });

  test('takes no other error for a conflict', async () => {
    const node = server.swarm.add('127.0.0.1');
    server.before = () => ({ status: 500, body: { message: 'rpc error: no leader' } });
    await expect(open().updateNode(node, node.Spec)).rejects.toThrow(/no leader/);
  });

  test('understands labels that were never made', async () => {
    server.swarm.add('127.0.0.1', { labels: null });
    expect((await open().listNodes())[0]?.Spec.Labels).toBeNull();
  });

  test('sends nothing once it may not', async () => {
    const node = server.swarm.add('127.0.0.1');
    const aborted = open({ mayProceed: () => false });
    await expect(aborted.updateNode(node, node.Spec)).rejects.toMatchObject({ kind: 'aborted' });
    await expect(aborted.removeNode(node)).rejects.toMatchObject({ kind: 'aborted' });
    expect(server.requests).toEqual([]);
  });
});

describe('a client of an Engine that wants certificates', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-engine-'));
  let server: EngineServer;
  let files: { caPath: string; certificatePath: string; certificateKeyPath: string };
  beforeAll(async () => {
    const { caPath, issue } = await makeAuthority(folder);
    const [shown, own] = [await issue('/CN=engine', ['127.0.0.1']), await issue('/CN=client')];
    server = await new EngineServer({ tls: { ...shown, caPath } }).start();
    files = { caPath, certificatePath: own.cert, certificateKeyPath: own.key };
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const open = (used: Partial<typeof files>) =>
    new DockerClient({ url: server.url.replace('https', 'tcp'), files: used, connections });

  test('is let in by its own, also at a URL of Docker', async () => {
    expect(await open(files).version()).toMatchObject({ Version: '20.10.24' });
    expect(open(files).displayName).toBe(server.url);
  });

  test('does not believe who is signed by an authority that it does not know', async () => {
    const { certificatePath, certificateKeyPath } = files;
    const distrusting = open({ certificatePath, certificateKeyPath });
    await expect(distrusting.version()).rejects.toMatchObject({ kind: 'untrusted' });
  });

  test('is not let in without', async () => {
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
])('%s with the TLS files %j is %s', (url, files, expected) => {
  expect(dockerHttpUrl(url, files)).toBe(expected);
});
