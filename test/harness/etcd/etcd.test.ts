import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../hosts/loopback-address.ts';
import { removeLeftovers } from '../hosts/run-folder.ts';
import { requestJson } from '../http/json-request.ts';
import { runCommand } from '../programs/process.ts';
import { until } from '../until.ts';
import { describeOnEtcd } from './describe-on-etcd.ts';
import type { Etcd } from './etcd.ts';
import { startEtcd } from './start-etcd.ts';

const text = (value: string) => Buffer.from(value).toString('base64');

/** Writes only where nothing is. */
const createIn = async (etcd: Etcd, key: string, value: string): Promise<boolean> => {
  const { status, body } = await etcd.post('/v3/kv/txn', {
    compare: [{ target: 'CREATE', key: text(key), create_revision: '0' }],
    success: [{ request_put: { key: text(key), value: text(value) } }],
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body as { succeeded?: boolean }).succeeded === true;
};

describeOnEtcd('an etcd of one member', () => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await startEtcd({ tls: true });
  });
  afterAll(() => etcd.stop());

  test('writes by a transaction what is not there yet, and nothing over it', async () => {
    expect(await createIn(etcd, '/one', 'first')).toBe(true);
    expect(await createIn(etcd, '/one', 'second')).toBe(false);
    expect([await etcd.get('/one'), await etcd.get('/other')]).toEqual(['first', undefined]);
  });

  test('has what it had when it was killed', async () => {
    await etcd.put('/kept', 'yes');
    await etcd.kill(0);
    await expect(etcd.get('/kept')).rejects.toThrow(/ECONNREFUSED/);
    await etcd.restart(0);
    expect([await etcd.get('/kept'), await etcd.leader()]).toEqual(['yes', 0]);
  });

  test('turns away who shows no certificate, and is not believed without its authority', async () => {
    const ask = (tls: { ca: Buffer } | undefined) => requestJson(`${etcd.endpoints[0]}/version`, { tls });
    await expect(ask({ ca: readFileSync(etcd.tls?.caPath ?? '') })).rejects.toThrow(/certificate/);
    await expect(ask(undefined)).rejects.toThrow(/certificate/);
  });
});

/** Has an etcd, and then does nothing more. */
const HOLDER = `
import { startEtcd } from './test/harness/etcd/start-etcd.ts';
import { runFolder } from './test/harness/hosts/run-folder.ts';
const etcd = await startEtcd();
console.log(['has', etcd.endpoints[0], (await runFolder()).folder, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

describeOnEtcd('a process that is killed', () => {
  test('takes its etcd along, and the next removes what it wrote', async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, url = '', folder = ''] = (await holder.says(/has .* ready/)).split(' ');
    const { hostname, port } = new URL(url);
    expect(await freePort(hostname, Number(port))).toBeUndefined();
    await holder.kill('SIGKILL');
    await until('it is gone', () => freePort(hostname, Number(port)));
    expect(existsSync(folder)).toBe(true);
    await removeLeftovers();
    expect(existsSync(folder)).toBe(false);
  });
});

describeOnEtcd('an etcd of three members', () => {
  test('goes on writing when its leader is killed, and takes it back', async () => {
    const etcd = await startEtcd({ members: 3 });
    expect(await createIn(etcd, '/before', 'x')).toBe(true);
    const killed = await etcd.leader();
    await etcd.kill(killed);
    expect(await etcd.leader()).not.toBe(killed);
    expect(await createIn(etcd, '/after', 'y')).toBe(true);
    await etcd.restart(killed);
    const { body } = await etcd.post('/v3/kv/range', { key: text('/after') }, killed);
    expect(body).toMatchObject({ kvs: [{ value: text('y') }] });
    await etcd.stop();
  });
});
