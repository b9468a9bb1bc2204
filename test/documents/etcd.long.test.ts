import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { createSimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { describeOnEtcd, describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

describeOnEtcd('documents about etcd', () => {
  let [secured, plain, environment]: [Etcd?, Etcd?, SimulatedSandbox?] = [];
  beforeAll(async () => {
    secured = await startEtcd({ tls: true });
    plain = await startEtcd();
    environment = await createSimulatedSandbox();
  });
  afterAll(async () => {
    await environment?.stop();
    await Promise.all([secured?.stop(), plain?.stop()]);
  });

  test('the commands in networks.md work', async () => {
    if (environment === undefined || secured?.tls === undefined) throw new Error('not started');
    const { caPath, cert, key } = secured.tls;
    const options = {
      ...{ endpoints: [...secured.endpoints], network: '10.1.0.0/16', backend: 'vxlan' },
      ...{ ca_path: caPath, certificate_path: cert, certificate_key_path: key },
    };
    await environment.service.put('/api/v0/network/overlay', { type: 'flannel_etcd', options });
    await runDocument('docs/guides/networks.md', environment.sandbox, {
      setup: environment.quickstartSetup,
      substitutions: [
        ['https://127.0.0.1:2379', secured.endpoints[0] ?? ''],
        ['/etc/hostler/etcd/ca.pem', caPath],
        ['/etc/hostler/etcd/client.pem', cert],
        ['/etc/hostler/etcd/client-key.pem', key],
      ],
    });
  });

  describeWithPrograms('with etcdctl', ['etcdctl'], () => {
    test('the commands in host-sources.md work', async () => {
      if (environment === undefined || plain === undefined) throw new Error('not started');
      await runDocument('docs/guides/host-sources.md', environment.sandbox, {
        setup: `export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=${plain.endpoints[0]}`,
      });
      expect(await plain.get('/hostler/hosts/127.0.0.1')).toBe('{"os": "debian", "cpus": 8}');
    });
  });
});
