import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesServer } from '../../../../test/harness/pretend-kubernetes/server.ts';
import { startKubernetes } from '../../../../test/harness/pretend-kubernetes/server.ts';
import { until } from '../../../../test/harness/until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { optionsConform } from '../../options-conformance.ts';
import type { FixtureRecord, SourceFixture } from '../conformance.ts';
import { hostSourceConforms } from '../conformance.ts';
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
    ['a token itself', { ...SERVER, token: 'hunter2' }, ['/token']],
    ['a key without its certificate', { ...SERVER, certificate_key_path: '/k' }, ['/certificate_path']],
  ],
});

const [HOST, UNKNOWN_HOST] = ['127.0.0.1' as Address, '127.0.0.9' as Address];

describe('on a Kubernetes API', () => {
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
    server.mend();
    for (const { metadata } of server.objects('nodes')) server.remove('nodes', metadata.name);
  });
  afterAll(async () => {
    await connections.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const nameOf = (address: string) => `node-${address.replaceAll(/[.:]/g, '-')}x`;

  function report(address: string, record: FixtureRecord): void {
    if (record === 'nonsense') {
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
    fail: async () => void server.fault({ match: { path: '/api/v1/nodes' }, do: 'reset' }),
    recover: async () => server.mend(),
    close: async () => {},
  });

  hostSourceConforms('kubernetes', openFixture);

  test('tells the conditions of a node', async () => {
    server.kubelet('one', { address: HOST });
    server.notReady('one');
    const facts = await open().read([HOST]);
    expect(facts.get(HOST)).toMatchObject({ conditions: { Ready: 'Unknown' } });
  });

  test('does not choose between two nodes of one address, and says so', async () => {
    server.kubelet('one', { address: HOST });
    server.kubelet('two', { address: HOST });
    server.kubelet('three', { address: '::1' });
    const facts = await open().read([HOST, '::1' as Address]);
    expect(facts.get(HOST)).toEqual({ conditions: { 'Nodes of this address': 'one, two' } });
    expect(facts.get('::1' as Address)).toMatchObject({ cpus: 4 });
  });

  test('says whose fault it is when a token is refused, and takes a new one from the file', async () => {
    writeFileSync(token_path, 'hunter2');
    const reading = open().read([HOST]);
    await expect(reading).rejects.toThrow(/\(401\).*token_path/);
    await expect(reading).rejects.not.toThrow(/hunter2/);
    writeFileSync(token_path, server.adminToken);
    expect(await open().read([UNKNOWN_HOST])).toEqual(new Map());
  });

  test('is not believed without its authority', async () => {
    await expect(open({ ca_path: undefined }).read([HOST])).rejects.toThrow(/set ca_path/);
  });

  test('lets in a client certificate', async () => {
    const { cert, key } = server.clientCertificate('admin', ['system:masters']);
    const source = open({ token_path: undefined, certificate_path: cert, certificate_key_path: key });
    expect(await source.read([UNKNOWN_HOST])).toEqual(new Map());
  });

  test('is not asked again and again when it forgets at once where we were', async () => {
    const watches = () => server.requests.filter(({ query }) => query['watch'] === '1').length;
    const before = watches();
    server.fault({ match: ({ query }) => query['watch'] === '1', do: { status: 410, body: {} } });
    const stopping = new AbortController();
    const startedAt = performance.now();
    const watching = open().watch?.(() => {}, stopping.signal);
    await until('it is asked a third time', () => watches() >= before + 3);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    stopping.abort();
    await watching;
  });

  test.each(['event', 'http'] as const)(
    'is watched anew when it has forgotten where we were (410 as %s)',
    async how => {
      server.settings.expiredWatch = how;
      // Between the list and the watch that goes on from there.
      server.before({ path: '/api/v1/nodes', query: { watch: '1' } }, () => {
        server.kubelet('late', { address: HOST });
        server.compact();
      });
      const [stopping, calls] = [new AbortController(), { count: 0 }];
      const watching = open().watch?.(() => {
        calls.count += 1;
      }, stopping.signal);
      await until('it is told, and told anew', () => calls.count > 1);
      server.kubelet('late', { address: HOST, capacity: { cpu: '1' } });
      await until('what happens then is told', () => calls.count > 2);
      stopping.abort();
      await watching;
      server.remove('nodes', 'late');
    },
  );
});
