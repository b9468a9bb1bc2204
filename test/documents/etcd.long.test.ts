import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PretendPlace } from '../harness/documents/pretend-place.ts';
import { makePretendPlace } from '../harness/documents/pretend-place.ts';
import { readThrough } from '../harness/documents/read-through.ts';
import { describeOnEtcd } from '../harness/etcd/describe-on-etcd.ts';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { missingPrograms } from '../harness/programs/missing-programs.ts';

describeOnEtcd('what a document about etcd gives to type works', () => {
  let [secured, plain, made]: [Etcd?, Etcd?, PretendPlace?] = [];
  beforeAll(async () => {
    secured = await startEtcd({ tls: true });
    plain = await startEtcd();
    made = await makePretendPlace();
  });
  afterAll(async () => {
    await made?.stop();
    await Promise.all([secured?.stop(), plain?.stop()]);
  });

  test('networks', async () => {
    if (made === undefined || secured?.tls === undefined) throw new Error('it was not started');
    const { caPath, cert, key } = secured.tls;
    const options = {
      ...{ endpoints: [...secured.endpoints], network: '10.1.0.0/16', backend: 'vxlan' },
      ...{ ca_path: caPath, certificate_path: cert, certificate_key_path: key },
    };
    await made.service.put('/api/v0/network/overlay', { type: 'flannel_etcd', options });
    await readThrough('docs/guides/networks.md', made.place, {
      typedBefore: made.tour,
      replaced: [
        ['https://127.0.0.1:2379', secured.endpoints[0] ?? ''],
        ['/etc/hostler/etcd/ca.pem', caPath],
        ['/etc/hostler/etcd/client.pem', cert],
        ['/etc/hostler/etcd/client-key.pem', key],
      ],
    });
  });

  test.skipIf(missingPrograms(['etcdctl version']).length > 0)('host sources', async () => {
    if (made === undefined || plain === undefined) throw new Error('it was not started');
    await readThrough('docs/guides/host-sources.md', made.place, {
      typedBefore: `export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=${plain.endpoints[0]}`,
    });
    expect(await plain.get('/hostler/hosts/127.0.0.1')).toBe('{"os": "debian", "cpus": 8}');
  });
});
