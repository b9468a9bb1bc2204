import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkConforms } from '../../../../test/conformance/network.ts';
import { createCertificate } from '../../../../test/harness/certificates/certificates.ts';
import { networkContext } from '../../../../test/harness/driver-contexts.ts';
import type { Etcd } from '../../../../test/harness/etcd/etcd.ts';
import { startEtcd } from '../../../../test/harness/etcd/start-etcd.ts';
import { runFolder } from '../../../../test/harness/real-hosts/run-folder.ts';
import { FLANNEL_NETWORK, onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { describeOnEtcd } from '../../../../test/harness/vitest/conditional-suites.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { NetworkContext } from '../network.ts';
import { flannelEtcd } from './flannel-etcd.ts';

const [HOST, OTHER] = ['127.0.0.1', '127.0.0.2'] as Address[] as [Address, Address];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('flannel_etcd', () => {
  test('reports missing etcd endpoints', async () => {
    const network = flannelEtcd.open(networkContext({ network: '10.1.0.0/16' }));
    const reason = 'flannel_etcd requires the option endpoints';
    expect(await network.ensureConfigured()).toBe(reason);
    expect(await network.checkConnection()).toEqual({ version: '', problems: [reason] });
    await network.releaseHost(HOST);
  });

  test('uses the etcd endpoints of the server configuration unless the record has its own', async () => {
    const open = (options: NetworkContext['options']) =>
      flannelEtcd.open(networkContext(options, { etcdEndpoints: ['http://127.0.0.1:1/'] }));
    const joinArguments = async (options: NetworkContext['options']) =>
      (await open(options).joinPlan({ address: HOST, hostname: '' }))?.commands[0]?.argv.join(' ');
    expect(await joinArguments({})).toContain('FLANNELD_ETCD_ENDPOINTS="http://127.0.0.1:1" ');
    expect(await joinArguments({ endpoints: ['http://127.0.0.2:1', 'http://127.0.0.3:1'] })).toContain(
      'FLANNELD_ETCD_ENDPOINTS="http://127.0.0.2:1,http://127.0.0.3:1" ',
    );
  });

  test('passes the paths of the TLS files to flanneld without reading them', async () => {
    const options = { ca_path: '/no/ca', certificate_path: '/no/cert', certificate_key_path: '/no/key' };
    const network = flannelEtcd.open(networkContext({ endpoints: ['https://127.0.0.1:1'], ...options }));
    const [join, ...rest] = (await network.joinPlan({ address: HOST, hostname: '' }))?.commands ?? [];
    expect([join?.input, rest]).toEqual([undefined, []]);
    expect(join?.argv.filter(argument => argument.includes('/no/') && !argument.includes('\n'))).toEqual([
      ...Object.values(options),
      'FLANNELD_ETCD_CAFILE="/no/ca"',
      'FLANNELD_ETCD_CERTFILE="/no/cert"',
      'FLANNELD_ETCD_KEYFILE="/no/key"',
    ]);
  });

  test('rejects an IPv6 network', async () => {
    const options = { endpoints: ['http://127.0.0.1:1'], network: 'fd00::/48' };
    expect(await flannelEtcd.open(networkContext(options)).ensureConfigured()).toMatch(/only IPv4/);
  });
});

describeOnEtcd('flannel_etcd with a real etcd', () => {
  let etcd: Etcd;
  let count = 0;
  beforeAll(async () => {
    etcd = await startEtcd({ tls: true });
  });
  afterAll(() => etcd?.stop());

  const tls = () => ({
    ca_path: etcd.tls?.caPath,
    certificate_path: etcd.tls?.cert,
    certificate_key_path: etcd.tls?.key,
  });
  const open = (options: NetworkContext['options'], rest: Partial<NetworkContext> = {}) =>
    flannelEtcd.open(networkContext({ endpoints: etcd.endpoints, ...tls(), ...options }, rest));
  const newPrefix = () => `/network-${++count}`;

  describeInMinimalRoot('on a host', () => {
    const prefix = newPrefix();
    networkConforms('flannel_etcd', {
      open: () => open({ prefix, network: FLANNEL_NETWORK }),
      onHost: use => {
        const files = Object.fromEntries(Object.values(tls()).map(name => [String(name), 'host file']));
        onFlannelHost({ programsFrom: 'this machine', files })(use);
      },
    });
  });

  test('writes the configuration once if several servers create it concurrently', async () => {
    const prefix = newPrefix();
    const networks = ['10.1.0.0/16', '10.2.0.0/16', '10.1.0.0/16', '10.2.0.0/16'];
    const all = networks.map(network => open({ prefix, network, backend: 'vxlan' }));
    const problems = await Promise.all(all.map(network => network.ensureConfigured()));
    const stored = await etcd.get(`${prefix}/config`);
    expect(problems.filter(problem => problem === undefined).length).toBe(2);
    expect(
      ['10.1.0.0/16', '10.2.0.0/16'].map(Network => JSON.stringify({ Network, Backend: { Type: 'vxlan' } })),
    ).toContain(stored);
    await Promise.all(all.map(network => network.ensureConfigured()));
    expect(await etcd.get(`${prefix}/config`)).toBe(stored);
  });

  test('rejects and keeps another stored configuration', async () => {
    const prefix = newPrefix();
    await etcd.put(`${prefix}/config`, '{"Network":"10.9.0.0/16"}');
    const network = open({ prefix, network: '10.1.0.0/16' });
    const problem = expect.stringMatching(/in etcd is \{"Network":"10.9.0.0\/16"\}, .*does not overwrite it/);
    expect(await network.ensureConfigured()).toEqual(problem);
    expect(await network.checkConnection()).toEqual({
      version: expect.stringMatching(/^3\./),
      problems: [problem],
    });
    expect(await etcd.get(`${prefix}/config`)).toBe('{"Network":"10.9.0.0/16"}');
  });

  test('requires a stored configuration if the record has no network', async () => {
    const prefix = newPrefix();
    expect(await open({ prefix }).ensureConfigured()).toMatch(/set the option network$/);
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
    await etcd.put(`${prefix}/config`, '{"Network":"10.9.0.0/16"}');
    expect(await open({ prefix }).ensureConfigured()).toBeUndefined();
    expect(await open({ prefix, backend: 'vxlan' }).ensureConfigured()).toMatch(/does not overwrite it/);
  });

  test('writes nothing after the server has lost its lease', async () => {
    const prefix = newPrefix();
    const network = open({ prefix, network: '10.1.0.0/16' }, { mayProceed: () => false });
    await expect(network.ensureConfigured()).rejects.toThrow(/aborted/);
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
  });

  test('writes nothing with an unknown CA or without a client certificate', async () => {
    const prefix = newPrefix();
    const otherCa = createCertificate(path.join((await runFolder()).folder, 'other-ca'));
    const files = { certificate_path: undefined, certificate_key_path: undefined };
    for (const options of [{ ca_path: otherCa.cert }, { ca_path: undefined }, files])
      await expect(open({ prefix, network: '10.1.0.0/16', ...options }).ensureConfigured()).rejects.toThrow(
        etcd.endpoints[0],
      );
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
  });

  /** Creates a key with a lease, as flanneld does. */
  async function lease(key: string, value: string): Promise<void> {
    const { body } = await etcd.post('/v3/lease/grant', { TTL: '3600' });
    const { ID } = body as { ID: string };
    await etcd.post('/v3/kv/put', { key: base64(key), value: base64(value), lease: ID });
  }

  test('deletes only the subnet lease of the host', async () => {
    const prefix = newPrefix();
    const subnets = {
      'subnets/10.1.1.0-24': `{"PublicIP":"${HOST}","PublicIPv6":null,"BackendType":"vxlan"}`,
      'subnets/10.1.2.0-24': `{"PublicIP":"${OTHER}"}`,
      'subnets/10.1.3.0-24': `not JSON ${HOST}`,
      'subnets-other/10.1.1.0-24': `{"PublicIP":"${HOST}"}`,
    };
    for (const [key, value] of Object.entries(subnets)) await lease(`${prefix}/${key}`, value);
    await etcd.put(`${prefix}/subnets/10.1.4.0-24`, `{"PublicIP":"${HOST}"}`);
    for (const _time of [1, 2]) await open({ prefix }).releaseHost(HOST);
    const remaining = await Promise.all(
      [...Object.keys(subnets), 'subnets/10.1.4.0-24'].map(key => etcd.get(`${prefix}/${key}`)),
    );
    expect(remaining.map(value => value !== undefined)).toEqual([false, true, true, true, true]);
  });

  test('reports that flanneld ignores a CA without a client certificate', async () => {
    const files = { certificate_path: undefined, certificate_key_path: undefined };
    const plain = await startEtcd();
    const network = open({ endpoints: plain.endpoints, network: '10.1.0.0/16', ...files });
    expect((await network.checkConnection()).problems).toEqual([expect.stringMatching(/^flanneld uses ca_path only/)]);
    await plain.stop();
  });
});

describeOnEtcd('flannel_etcd with three etcd members', () => {
  test('writes the configuration during and after the loss of the leader', async () => {
    const etcd = await startEtcd({ members: 3 });
    const open = (prefix: string) =>
      flannelEtcd.open(networkContext({ endpoints: etcd.endpoints, prefix, network: '10.1.0.0/16' }));
    const leader = await etcd.leader();
    const [, problem] = await Promise.all([etcd.kill(leader), open('/first').ensureConfigured()]);
    expect([problem, await open('/first').ensureConfigured(), await open('/second').ensureConfigured()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await etcd.get('/second/config')).toBe('{"Network":"10.1.0.0/16"}');
    await etcd.stop();
  });
});
