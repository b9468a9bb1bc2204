import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { UNIT } from '../../src/drivers/network/flanneld-script.ts';
import { SIMULATED_NETWORK } from '../../src/simulator/flannel.ts';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { describeOnEtcd } from '../harness/vitest/conditional-suites.ts';

const [HOST, OTHER] = ['127.0.0.1', '127.0.0.2'] as Address[] as [Address, Address];
const [web, db] = [toRecordName('web'), toRecordName('db')];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describeOnEtcd('flannel on hosts', () => {
  let etcd: Etcd;
  let count = 0;
  let prefix = '';
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd?.stop());

  describeSimulation(
    'in a cluster whose network is flannel_etcd',
    {
      per: 'test',
      kinds: ['sqlite'],
      prepare: async simulation => {
        prefix = `/network-${++count}`;
        const options = { endpoints: etcd.endpoints, prefix, network: SIMULATED_NETWORK };
        await simulation.makeCluster('web', undefined, { type: 'flannel_etcd', options });
        await simulation.startServer();
      },
    },
    simulation => {
      const runsFlannel = (host: Address) => simulation().fleet.host(host).machine.services.has(UNIT);
      const untilIdle = (host: Address) =>
        simulation().clock.advanceUntil(
          async () => (await simulation().store.reads.tasks.list(host)).length === 0,
          10 * MINUTE,
        );
      /** Creates the subnet lease that the flanneld of a host would create. */
      async function lease(host: Address): Promise<string> {
        const key = `${prefix}/subnets/${host}`;
        const { body } = await etcd.post('/v3/lease/grant', { TTL: '3600' });
        const { ID } = body as { ID: string };
        const value = base64(JSON.stringify({ PublicIP: host }));
        await etcd.post('/v3/kv/put', { key: base64(key), value, lease: ID });
        return key;
      }

      test('enrolled hosts run flannel before they are active and share one configuration', async () => {
        await simulation().enrolHosts([HOST, OTHER], {}, { cluster: web });
        await simulation().waitForStatus(HOST, 'active');
        await simulation().waitForStatus(OTHER, 'active');
        expect([HOST, OTHER].map(runsFlannel)).toEqual([true, true]);
        expect(await etcd.get(`${prefix}/config`)).toBe(JSON.stringify({ Network: SIMULATED_NETWORK }));
      });

      test('a host that joins runs flannel, and a host that leaves loses flannel and its subnet', async () => {
        await simulation().enrolHosts([HOST, OTHER]);
        await simulation().waitForStatus(HOST, 'disassociated');
        await simulation().waitForStatus(OTHER, 'disassociated');
        for (const host of [HOST, OTHER]) await addMember(simulation().ports, LOCAL_ACTOR, web, host);
        for (const host of [HOST, OTHER]) await untilIdle(host);
        expect([HOST, OTHER].map(runsFlannel)).toEqual([true, true]);
        const keys = [await lease(HOST), await lease(OTHER)] as const;
        await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
        await untilIdle(HOST);
        expect([HOST, OTHER].map(runsFlannel)).toEqual([false, true]);
        expect([await etcd.get(keys[0]), await etcd.get(keys[1])]).toEqual([undefined, expect.stringContaining(OTHER)]);
      });

      test('a host that joins another network before it left the first keeps flannel running until it leaves both', async () => {
        const options = { endpoints: etcd.endpoints, prefix: `${prefix}-other`, network: SIMULATED_NETWORK };
        await simulation().makeCluster('db', undefined, { name: 'other', type: 'flannel_etcd', options });
        await simulation().enrolHosts([HOST], {}, { cluster: web });
        await simulation().waitForStatus(HOST, 'active');
        simulation()
          .fleet.host(HOST)
          .addFault({ kind: 'exit', exitCode: 1, times: 1, on: /remove_all sh flannel_etcd$/ });
        const before = simulation().commandsRunOn(HOST).length;
        await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
        await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
        await untilIdle(HOST);
        const ran = simulation()
          .commandsRunOn(HOST)
          .slice(before)
          .flatMap(command => /sh (flannel_etcd|other)\b/.exec(command)?.[1] ?? []);
        expect([ran, runsFlannel(HOST)]).toEqual([['flannel_etcd', 'other', 'flannel_etcd'], true]);
        await removeMember(simulation().ports, LOCAL_ACTOR, db, HOST);
        await untilIdle(HOST);
        expect(runsFlannel(HOST)).toBe(false);
      });

      test('a host fails with the reason when etcd has another configuration', async () => {
        await etcd.put(`${prefix}/config`, '{"Network":"10.9.0.0/16"}');
        await simulation().enrolHosts([HOST], {}, { cluster: web });
        await simulation().waitForStatus(HOST, 'failed (network)');
        expect((await simulation().host(HOST))?.reason).toMatch(/10\.9\.0\.0.*does not overwrite it/);
        expect(runsFlannel(HOST)).toBe(false);
      });
    },
  );
});
