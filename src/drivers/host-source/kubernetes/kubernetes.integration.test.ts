import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import type { FixtureRecord, SourceFixture } from '../../../../test/conformance/host-source.ts';
import { hostSourceConforms } from '../../../../test/conformance/host-source.ts';
import type { KubernetesServer } from '../../../../test/harness/fake-kubernetes/server.ts';
import { startKubernetes } from '../../../../test/harness/fake-kubernetes/server.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { kubernetes } from './kubernetes.ts';

const SERVER = { server_url: 'https://kubernetes.example:6443' };

optionsConform(kubernetes, {
  good: [
    ['a server', SERVER],
    ['a token in a file', { ...SERVER, token_path: '/run/token', ca_path: '/ca' }],
    ['a client certificate', { ...SERVER, certificate_path: '/c', certificate_key_path: '/k' }],
  ],
  bad: [
    ['no server', {}, ['/server_url']],
    ['an inline token', { ...SERVER, token: 'hunter2' }, ['/token']],
    ['a key without its certificate', { ...SERVER, certificate_key_path: '/k' }, ['/certificate_path']],
  ],
});

const [HOST, UNKNOWN_HOST] = ['127.0.0.1' as Address, '127.0.0.9' as Address];

describe('Kubernetes host source', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-kubernetes-source-'));
  const token_path = path.join(folder, 'token');
  const connections = new ConnectionPool();
  let server: KubernetesServer;
  const open = (options: Readonly<Record<string, unknown>> = {}) =>
    kubernetes.open({
      options: { server_url: server.url, token_path, ca_path: server.caPath, ...options },
      connections,
    });

  beforeAll(async () => {
    server = await startKubernetes();
    writeFileSync(token_path, server.adminToken);
  });
  afterEach(() => {
    server.clearFaults();
    for (const { metadata } of server.objects('nodes')) server.remove('nodes', metadata.name);
  });
  afterAll(async () => {
    await connections.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const nameOf = (address: string) => `node-${address.replaceAll(/[.:]/g, '-')}x`;

  function report(address: string, record: FixtureRecord): void {
    if (record === 'invalid') {
      const capacity = { cpu: 'many', memory: '-1', 'ephemeral-storage': '1 KB' };
      server.kubelet(nameOf(address), { address, osImage: 'Windows 95', capacity, hostname: '' });
      return;
    }
    const { hostname, cpus, memory, space } = record;
    const capacity = { cpu: `${cpus}`, memory: `${memory}Ki`, 'ephemeral-storage': `${space}Ki` };
    const osImage = 'Debian GNU/Linux 12 (bookworm)';
    server.kubelet(nameOf(address), { address, hostname, osImage, capacity });
  }

  const openFixture = async (): Promise<SourceFixture> => ({
    source: open(),
    async setRecords(records) {
      const names = Object.keys(records).map(nameOf);
      for (const { metadata } of server.objects('nodes'))
        if (!names.includes(metadata.name)) server.remove('nodes', metadata.name);
      for (const [address, record] of Object.entries(records)) report(address, record);
    },
    fail: async () => void server.addFault({ match: { path: '/api/v1/nodes' }, do: 'cut_response' }),
    recover: async () => server.clearFaults(),
    close: async () => {},
  });

  hostSourceConforms('kubernetes', openFixture);

  test('returns the conditions of a node', async () => {
    server.kubelet('node-1', { address: HOST });
    server.notReady('node-1');
    const facts = await open().read([HOST]);
    expect(facts.get(HOST)).toMatchObject({ conditions: { Ready: 'Unknown' } });
  });

  test('reports two nodes with the same address instead of choosing one', async () => {
    server.kubelet('node-1', { address: HOST });
    server.kubelet('node-2', { address: HOST });
    server.kubelet('node-3', { address: '::1' });
    const facts = await open().read([HOST, '::1' as Address]);
    expect(facts.get(HOST)).toEqual({ conditions: { 'Nodes of this address': 'node-1, node-2' } });
    expect(facts.get('::1' as Address)).toMatchObject({ cpus: 4 });
  });

  test('reports a rejected token and reads a new one from the file', async () => {
    writeFileSync(token_path, 'hunter2');
    const reading = open().read([HOST]);
    await expect(reading).rejects.toThrow(/\(401\).*token_path/);
    await expect(reading).rejects.not.toThrow(/hunter2/);
    writeFileSync(token_path, server.adminToken);
    expect(await open().read([UNKNOWN_HOST])).toEqual(new Map());
  });

  test('rejects a server certificate of an unknown CA', async () => {
    await expect(open({ ca_path: undefined }).read([HOST])).rejects.toThrow(/set ca_path/);
  });

  test('supports a client certificate', async () => {
    const { cert, key } = server.clientCertificate('admin', ['system:masters']);
    const source = open({ token_path: undefined, certificate_path: cert, certificate_key_path: key });
    expect(await source.read([UNKNOWN_HOST])).toEqual(new Map());
  });

  test('backs off when the watch expires repeatedly', async () => {
    const watches = () => server.requests.filter(({ query }) => query['watch'] === '1').length;
    const before = watches();
    server.addFault({ match: ({ query }) => query['watch'] === '1', do: { status: 410, body: {} } });
    const controller = new AbortController();
    const startedAt = performance.now();
    const watching = open().watch?.(() => {}, controller.signal);
    await waitUntil('third watch request', () => watches() >= before + 3);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    controller.abort();
    await watching;
  });

  test.each(['event', 'http'] as const)('restarts an expired watch (410 as %s)', async delivery => {
    server.settings.expiredWatch = delivery;
    // Runs between the list and the watch request.
    server.before({ path: '/api/v1/nodes', query: { watch: '1' } }, () => {
      server.kubelet('late', { address: HOST });
      server.compact();
    });
    const [controller, calls] = [new AbortController(), { count: 0 }];
    const watching = open().watch?.(() => {
      calls.count += 1;
    }, controller.signal);
    await waitUntil('two change reports', () => calls.count > 1);
    server.kubelet('late', { address: HOST, capacity: { cpu: '1' } });
    await waitUntil('a change report after the restart', () => calls.count > 2);
    controller.abort();
    await watching;
    server.remove('nodes', 'late');
  });
});
