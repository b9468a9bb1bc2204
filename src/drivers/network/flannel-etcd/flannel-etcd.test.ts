import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../../test/harness/certificates/certificates.ts';
import { describeOnEtcd } from '../../../../test/harness/etcd/describe-on-etcd.ts';
import type { Etcd } from '../../../../test/harness/etcd/etcd.ts';
import { startEtcd } from '../../../../test/harness/etcd/start-etcd.ts';
import { runFolder } from '../../../../test/harness/hosts/run-folder.ts';
import { networkRecord } from '../../../../test/harness/network-record.ts';
import { FLANNEL_NETWORK, onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { networkConforms } from '../conformance.ts';
import type { NetworkContext } from '../network.ts';
import { flannelEtcd } from './flannel-etcd.ts';

const [ONE, OTHER] = ['127.0.0.1', '127.0.0.2'] as Address[] as [Address, Address];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('flannel_etcd', () => {
  test('cannot be entered as long as no etcd endpoint is set, which is all that a check finds', async () => {
    const network = flannelEtcd.open(networkRecord({ network: '10.1.0.0/16' }));
    const reason = 'flannel_etcd requires the option endpoints';
    expect(await network.ensureConfigured()).toBe(reason);
    expect(await network.checkConnection()).toEqual({ version: '', problems: [reason] });
    await network.releaseHost(ONE);
  });

  test('is found by the etcd of the configuration, unless the record names another', async () => {
    const open = (options: NetworkContext['options']) =>
      flannelEtcd.open(networkRecord(options, { etcdEndpoints: ['http://127.0.0.1:1/'] }));
    const given = async (options: NetworkContext['options']) =>
      (await open(options).joinPlan({ address: ONE, hostname: '' }))?.commands[0]?.argv.join(' ');
    expect(await given({})).toContain('FLANNELD_ETCD_ENDPOINTS="http://127.0.0.1:1" ');
    expect(await given({ endpoints: ['http://127.0.0.2:1', 'http://127.0.0.3:1'] })).toContain(
      'FLANNELD_ETCD_ENDPOINTS="http://127.0.0.2:1,http://127.0.0.3:1" ',
    );
  });

  test('has flanneld use the files of the host at the paths of ours, and reads none of ours for it', async () => {
    const options = { ca_path: '/no/ca', certificate_path: '/no/cert', certificate_key_path: '/no/key' };
    const network = flannelEtcd.open(networkRecord({ endpoints: ['https://127.0.0.1:1'], ...options }));
    const [enter, ...more] = (await network.joinPlan({ address: ONE, hostname: '' }))?.commands ?? [];
    expect([enter?.input, more]).toEqual([undefined, []]);
    expect(enter?.argv.filter(word => word.includes('/no/') && !word.includes('\n'))).toEqual([
      ...Object.values(options),
      'FLANNELD_ETCD_CAFILE="/no/ca"',
      'FLANNELD_ETCD_CERTFILE="/no/cert"',
      'FLANNELD_ETCD_KEYFILE="/no/key"',
    ]);
  });

  test('takes no network of IPv6', async () => {
    const options = { endpoints: ['http://127.0.0.1:1'], network: 'fd00::/48' };
    expect(await flannelEtcd.open(networkRecord(options)).ensureConfigured()).toMatch(/only IPv4/);
  });
});

describeOnEtcd('flannel_etcd on a real etcd', () => {
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
  const open = (options: NetworkContext['options'], more: Partial<NetworkContext> = {}) =>
    flannelEtcd.open(networkRecord({ endpoints: etcd.endpoints, ...tls(), ...options }, more));
  const newPrefix = () => `/network-${++count}`;

  describeInTinyRoot('and on a host', () => {
    const prefix = newPrefix();
    networkConforms('flannel_etcd', {
      open: () => open({ prefix, network: FLANNEL_NETWORK }),
      onHost: use => {
        const files = Object.fromEntries(Object.values(tls()).map(name => [String(name), 'of the host']));
        onFlannelHost({ of: 'this machine', files })(use);
      },
    });
  });

  test('is written once by many who prepare it at the same moment, and by nobody later', async () => {
    const prefix = newPrefix();
    const networks = ['10.1.0.0/16', '10.2.0.0/16', '10.1.0.0/16', '10.2.0.0/16'];
    const all = networks.map(network => open({ prefix, network, backend: 'vxlan' }));
    const problems = await Promise.all(all.map(each => each.ensureConfigured()));
    const stored = await etcd.get(`${prefix}/config`);
    expect(problems.filter(problem => problem === undefined).length).toBe(2);
    expect(
      ['10.1.0.0/16', '10.2.0.0/16'].map(Network => JSON.stringify({ Network, Backend: { Type: 'vxlan' } })),
    ).toContain(stored);
    await Promise.all(all.map(each => each.ensureConfigured()));
    expect(await etcd.get(`${prefix}/config`)).toBe(stored);
  });

  test('is refused where something else is, which is left as it is', async () => {
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

  test('is taken as it is there when the record names no network, and then has to be there', async () => {
    const prefix = newPrefix();
    expect(await open({ prefix }).ensureConfigured()).toMatch(/set the option network$/);
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
    await etcd.put(`${prefix}/config`, '{"Network":"10.9.0.0/16"}');
    expect(await open({ prefix }).ensureConfigured()).toBeUndefined();
    expect(await open({ prefix, backend: 'vxlan' }).ensureConfigured()).toMatch(/does not overwrite it/);
  });

  test('is not written by a server that may not any more', async () => {
    const prefix = newPrefix();
    const network = open({ prefix, network: '10.1.0.0/16' }, { mayProceed: () => false });
    await expect(network.ensureConfigured()).rejects.toThrow(/aborted/);
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
  });

  test('is not written to an etcd whose authority is another, or without a certificate', async () => {
    const prefix = newPrefix();
    const otherAuthority = makeCertificate(path.join((await runFolder()).folder, 'another-authority'));
    const files = { certificate_path: undefined, certificate_key_path: undefined };
    for (const options of [{ ca_path: otherAuthority.cert }, { ca_path: undefined }, files])
      await expect(open({ prefix, network: '10.1.0.0/16', ...options }).ensureConfigured()).rejects.toThrow(
        etcd.endpoints[0],
      );
    expect(await etcd.get(`${prefix}/config`)).toBeUndefined();
  });

  /** As flanneld takes it: one that ends by itself. */
  async function lease(key: string, value: string): Promise<void> {
    const { body } = await etcd.post('/v3/lease/grant', { TTL: '3600' });
    const { ID } = body as { ID: string };
    await etcd.post('/v3/kv/put', { key: base64(key), value: base64(value), lease: ID });
  }

  test('forgets the subnet that is leased to a host, and no other', async () => {
    const prefix = newPrefix();
    const subnets = {
      'subnets/10.1.1.0-24': `{"PublicIP":"${ONE}","PublicIPv6":null,"BackendType":"vxlan"}`,
      'subnets/10.1.2.0-24': `{"PublicIP":"${OTHER}"}`,
      'subnets/10.1.3.0-24': `not JSON ${ONE}`,
      'subnets-of-others/10.1.1.0-24': `{"PublicIP":"${ONE}"}`,
    };
    for (const [key, value] of Object.entries(subnets)) await lease(`${prefix}/${key}`, value);
    await etcd.put(`${prefix}/subnets/10.1.4.0-24`, `{"PublicIP":"${ONE}"}`);
    for (const _time of [1, 2]) await open({ prefix }).releaseHost(ONE);
    const left = await Promise.all(
      [...Object.keys(subnets), 'subnets/10.1.4.0-24'].map(key => etcd.get(`${prefix}/${key}`)),
    );
    expect(left.map(value => value !== undefined)).toEqual([false, true, true, true, true]);
  });

  test('says of an authority without a certificate that flanneld would not use it', async () => {
    const files = { certificate_path: undefined, certificate_key_path: undefined };
    const plain = await startEtcd();
    const network = open({ endpoints: plain.endpoints, network: '10.1.0.0/16', ...files });
    expect((await network.checkConnection()).problems).toEqual([
      expect.stringMatching(/^flanneld uses ca_path only/),
    ]);
    await plain.stop();
  });
});

describeOnEtcd('flannel_etcd on an etcd of three members', () => {
  test('is prepared while the leader is killed, and after', async () => {
    const etcd = await startEtcd({ members: 3 });
    const open = (prefix: string) =>
      flannelEtcd.open(networkRecord({ endpoints: etcd.endpoints, prefix, network: '10.1.0.0/16' }));
    const leader = await etcd.leader();
    const [, problem] = await Promise.all([etcd.kill(leader), open('/one').ensureConfigured()]);
    expect([problem, await open('/one').ensureConfigured(), await open('/two').ensureConfigured()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await etcd.get('/two/config')).toBe('{"Network":"10.1.0.0/16"}');
    await etcd.stop();
  });
});
