import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestJson } from '../http/json-request.ts';
import { isPortFree } from '../http/sockets.ts';
import { runCommand } from '../programs/process.ts';
import { removeLeftovers } from '../real-hosts/run-folder.ts';
import { describeOnEtcd } from '../vitest/conditional-suites.ts';
import { waitUntil } from '../wait-until.ts';
import type { Etcd } from './etcd.ts';
import { startEtcd } from './start-etcd.ts';

const toBase64 = (value: string) => Buffer.from(value).toString('base64');

/** Writes only if the key does not exist. */
const createKey = async (etcd: Etcd, key: string, value: string): Promise<boolean> => {
  const { status, body } = await etcd.post('/v3/kv/txn', {
    compare: [{ target: 'CREATE', key: toBase64(key), create_revision: '0' }],
    success: [{ request_put: { key: toBase64(key), value: toBase64(value) } }],
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body as { succeeded?: boolean }).succeeded === true;
};

describeOnEtcd('etcd with one member', () => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await startEtcd({ tls: true });
  });
  afterAll(() => etcd.stop());

  test('a transaction creates a key once and does not overwrite it', async () => {
    expect(await createKey(etcd, '/one', 'first')).toBe(true);
    expect(await createKey(etcd, '/one', 'second')).toBe(false);
    expect([await etcd.get('/one'), await etcd.get('/other')]).toEqual(['first', undefined]);
  });

  test('keeps its data when it is killed', async () => {
    await etcd.put('/saved', 'yes');
    await etcd.kill(0);
    await expect(etcd.get('/saved')).rejects.toThrow(/ECONNREFUSED/);
    await etcd.restart(0);
    expect([await etcd.get('/saved'), await etcd.leader()]).toEqual(['yes', 0]);
  });

  test('rejects clients without a certificate, and clients reject an unknown authority', async () => {
    const request = (tls: { ca: Buffer } | undefined) => requestJson(`${etcd.endpoints[0]}/version`, { tls });
    await expect(request({ ca: readFileSync(etcd.tls?.caPath ?? '') })).rejects.toThrow(/certificate/);
    await expect(request(undefined)).rejects.toThrow(/certificate/);
  });
});

/** Starts etcd and keeps running. */
const HOLDER = `
import { startEtcd } from './test/harness/etcd/start-etcd.ts';
import { runFolder } from './test/harness/real-hosts/run-folder.ts';
const etcd = await startEtcd();
console.log(['has', etcd.endpoints[0], (await runFolder()).folder, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

describeOnEtcd('cleanup of etcd after a killed process', () => {
  test('the members end with the process, and the next process removes their files', async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, url = '', folder = ''] = (await holder.waitForOutput(/has .* ready/)).split(' ');
    const { hostname, port } = new URL(url);
    expect(await isPortFree(hostname, Number(port))).toBe(false);
    await holder.kill('SIGKILL');
    await waitUntil('etcd has closed its port', () => isPortFree(hostname, Number(port)));
    expect(existsSync(folder)).toBe(true);
    await removeLeftovers();
    expect(existsSync(folder)).toBe(false);
  });
});

describeOnEtcd('etcd with three members', () => {
  test('accepts writes after its leader is killed, and the leader rejoins', async () => {
    const etcd = await startEtcd({ members: 3 });
    expect(await createKey(etcd, '/before', 'x')).toBe(true);
    const leader = await etcd.leader();
    await etcd.kill(leader);
    expect(await etcd.leader()).not.toBe(leader);
    expect(await createKey(etcd, '/after', 'y')).toBe(true);
    await etcd.restart(leader);
    const { body } = await etcd.post('/v3/kv/range', { key: toBase64('/after') }, leader);
    expect(body).toMatchObject({ kvs: [{ value: toBase64('y') }] });
    await etcd.stop();
  });
});
