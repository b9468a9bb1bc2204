import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCertificate } from '../../../test/harness/certificates/certificates.ts';
import type { Etcd } from '../../../test/harness/etcd/etcd.ts';
import { startEtcd } from '../../../test/harness/etcd/start-etcd.ts';
import { runFolder } from '../../../test/harness/real-hosts/run-folder.ts';
import { describeOnEtcd } from '../../../test/harness/vitest/conditional-suites.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { ConnectionPool } from '../http/connection-pool.ts';
import { EtcdClient } from './etcd-client.ts';
import type { EtcdClientOptions } from './etcd-endpoints.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describeOnEtcd('a client of an etcd that requires client certificates', () => {
  let etcd: Etcd;
  const connections = new ConnectionPool();
  beforeAll(async () => {
    etcd = await startEtcd({ tls: true });
  });
  afterAll(async () => {
    await connections.close();
    await etcd?.stop();
  });

  const files = () => ({
    caPath: etcd.tls?.caPath,
    certificatePath: etcd.tls?.cert,
    certificateKeyPath: etcd.tls?.key,
  });
  const open = (access: Partial<EtcdClientOptions> = {}) =>
    new EtcdClient({ endpoints: etcd.endpoints, files: files(), connections, timeoutMs: 5000, ...access });

  test('reads the version', async () => {
    expect(await open().version()).toMatch(/^3\.\d+\.\d+/);
  });

  test('reads existing keys, and undefined for a missing key', async () => {
    await etcd.put('/read/ü', '{"a":"ö"}');
    await etcd.put('/read/empty', '');
    expect(await open().get('/read/ü')).toMatchObject({ key: '/read/ü', value: '{"a":"ö"}' });
    expect(await open().get('/read/empty')).toMatchObject({ value: '' });
    expect(await open().get('/read')).toBeUndefined();
  });

  test('creates a key once under concurrency, and returns the existing value to the others', async () => {
    const values = ['a', 'b', 'c', 'd', 'e', 'f'];
    const results = await Promise.all(values.map(value => open().create('/created', value)));
    const won = values.filter((_value, index) => results[index] === undefined);
    expect(won).toEqual([await etcd.get('/created')]);
    expect(new Set(results.map(answer => answer?.value))).toEqual(new Set([undefined, won[0]]));
  });

  test('deletes a key only if it is unchanged', async () => {
    await etcd.put('/deleted', 'first');
    const read = await open().get('/deleted');
    await etcd.put('/deleted', 'second');
    const entry = read ?? { key: '', value: '', modRevision: '', isLeased: false };
    expect(await open().deleteUnchanged(entry)).toBe(false);
    expect(await etcd.get('/deleted')).toBe('second');
    const again = await open().get('/deleted');
    expect(await open().deleteUnchanged(again ?? entry)).toBe(true);
    expect(await etcd.get('/deleted')).toBeUndefined();
    expect(await open().deleteUnchanged(again ?? entry), 'deleting again').toBe(false);
  });

  test('reads all keys of a prefix in pages, and no other keys', async () => {
    const keys = Array.from({ length: 1100 }, (_, index) => `/many/${String(index).padStart(4, '0')}`);
    for (let index = 0; index < keys.length; index += 100) {
      const success = keys
        .slice(index, index + 100)
        .map(key => ({ request_put: { key: base64(key), value: base64(key) } }));
      expect((await etcd.post('/v3/kv/txn', { success })).status).toBe(200);
    }
    for (const neighbour of ['/many', '/many.', '/many0']) await etcd.put(neighbour, 'x');
    const found = await open().getPrefix('/many/');
    expect(found.map(({ key }) => key)).toEqual(keys);
    expect(found.every(({ key, value }) => key === value)).toBe(true);
    expect(await open().getPrefix('/none/')).toEqual([]);
  });

  test('reports the start of a watch and each change under its prefix, and no other change', async () => {
    let changes = 0;
    const stop = new AbortController();
    const end = open().watchPrefix('/watched/', () => changes++, stop.signal);
    await waitUntil('the watch to start', () => changes === 1);
    await etcd.put('/beside', 'x');
    await etcd.put('/watched/a', '1');
    await waitUntil('the first change', () => changes === 2);
    await etcd.put('/watched/a', '2');
    await waitUntil('the second change', () => changes === 3);
    stop.abort();
    expect(await end).toBe('stopped');
  });

  test('sends nothing after mayProceed returns false', async () => {
    const forbidden = open({ mayProceed: () => false });
    await expect(forbidden.create('/forbidden', 'x')).rejects.toMatchObject({ kind: 'aborted' });
    expect(await etcd.get('/forbidden')).toBeUndefined();
  });

  test('rejects a server certificate of another CA', async () => {
    const otherAuthority = createCertificate(path.join((await runFolder()).folder, 'other-ca'));
    const distrusting = open({ files: { ...files(), caPath: otherAuthority.cert } });
    await expect(distrusting.create('/distrusted', 'x')).rejects.toMatchObject({ kind: 'untrusted' });
    await expect(open({ files: {} }).version()).rejects.toThrow(/authority.*set ca_path/);
    expect(await etcd.get('/distrusted')).toBeUndefined();
  });

  test('fails without a client certificate, and with one of another CA', async () => {
    const otherAuthority = createCertificate(path.join((await runFolder()).folder, 'other-client'));
    const own = { certificatePath: otherAuthority.cert, certificateKeyPath: otherAuthority.key };
    for (const access of [{}, own])
      await expect(open({ files: { caPath: files().caPath, ...access } }).version()).rejects.toThrow(etcd.endpoints[0]);
  });

  test('names the file that cannot be read', async () => {
    await expect(open({ files: { caPath: '/no/such/ca' } }).version()).rejects.toThrow(
      /ca_path: \/no\/such\/ca cannot be read/,
    );
  });
});

/** Like `etcdctl auth enable`, after creating a root account. */
async function enableAuthentication(etcd: Etcd): Promise<void> {
  for (const [path, body] of [
    ['user/add', { name: 'root', password: 'for-the-test' }],
    ['user/grant', { user: 'root', role: 'root' }],
    ['enable', {}],
  ] as const)
    expect((await etcd.post(`/v3/auth/${path}`, body)).status).toBe(200);
}

describeOnEtcd('a client of an etcd with authentication enabled', () => {
  test.each([
    ['without a certificate', false],
    ['with a certificate that has a common name', true],
  ])('gets an error that names the fix, %s', async (_what, tls) => {
    const etcd = await startEtcd({ tls });
    await enableAuthentication(etcd);
    const connections = new ConnectionPool();
    const { caPath, cert: certificatePath, key: certificateKeyPath } = etcd.tls ?? {};
    const files = { caPath, certificatePath, certificateKeyPath };
    const client = new EtcdClient({ endpoints: etcd.endpoints, files, connections });
    const error = /denied access: authentication is enabled, .*etcdctl auth disable/;
    await expect(client.get('/any')).rejects.toThrow(error);
    await expect(client.create('/any', 'x')).rejects.toThrow(error);
    const watch = client.watchPrefix('/any', () => {}, new AbortController().signal);
    await expect(watch).rejects.toThrow(tls ? error : /did not start the watch/);
    await connections.close();
    await etcd.stop();
  });
});

describeOnEtcd('a client of an etcd cluster with three members', () => {
  let etcd: Etcd;
  const connections = new ConnectionPool();
  beforeAll(async () => {
    etcd = await startEtcd({ members: 3 });
  });
  afterAll(async () => {
    await connections.close();
    await etcd?.stop();
  });

  const open = (timeoutMs = 8000) => new EtcdClient({ endpoints: etcd.endpoints, connections, timeoutMs });

  test('writes each entry once while the leader is killed', async () => {
    const leader = await etcd.leader();
    const client = open();
    const write = (index: number) => client.create(`/steady/${index}`, String(index));
    for (let index = 0; index < 5; index++) expect(await write(index)).toBeUndefined();
    const killed = etcd.kill(leader);
    // The response can be lost with the leader: then the next member returns the existing entry.
    for (let index = 5; index < 15; index++) expect([undefined, String(index)]).toContain((await write(index))?.value);
    await killed;
    expect((await client.getPrefix('/steady/')).length).toBe(15);
    await etcd.restart(leader);
  });

  test('reports a disconnected watch when its member is killed', async () => {
    let changes = 0;
    const watching = new EtcdClient({ endpoints: etcd.endpoints.slice(0, 1), connections });
    const end = watching.watchPrefix('/cut/', () => changes++, new AbortController().signal);
    await waitUntil('the watch to start', () => changes === 1);
    await etcd.kill(0);
    expect(await end).toBe('disconnected');
    expect(await open().create('/cut/other-members', 'x')).toBeUndefined();
    await etcd.restart(0);
  });

  test('reports a missing leader without quorum, and works again after a member returns', async () => {
    await Promise.all([etcd.kill(0), etcd.kill(1)]);
    await expect(open(1000).create('/few', 'x')).rejects.toThrow(/no leader|in time/);
    await etcd.restart(0);
    await open().create('/few', 'x');
    expect((await open().get('/few'))?.value).toBe('x');
  });
});
