import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { UNIT } from '../../src/drivers/network/flanneld-script.ts';
import { SIMULATED_NETWORK } from '../../src/simulator/flannel.ts';
import { describeOnEtcd } from '../harness/etcd/describe-on-etcd.ts';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

const [HOST, OTHER] = ['127.0.0.1', '127.0.0.2'] as Address[] as [Address, Address];
const [web, db] = [toRecordName('web'), toRecordName('db')];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describeOnEtcd('hosts and flannel', () => {
  let etcd: Etcd;
  let count = 0;
  let prefix = '';
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd?.stop());

  simulateOnEachStore(
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
      const workIsDone = (host: Address) =>
        simulation().clock.advanceUntil(
          async () => (await simulation().store.reads.tasks.list(host)).length === 0,
          10 * MINUTE,
        );
      /** As the flanneld of a host would. */
      async function lease(host: Address): Promise<string> {
        const key = `${prefix}/subnets/${host}`;
        const { body } = await etcd.post('/v3/lease/grant', { TTL: '3600' });
        const { ID } = body as { ID: string };
        const value = base64(JSON.stringify({ PublicIP: host }));
        await etcd.post('/v3/kv/put', { key: base64(key), value, lease: ID });
        return key;
      }

      test('a host that is enrolled runs flannel before it is active, by what was written once', async () => {
        await simulation().enrolMachines([HOST, OTHER], {}, { cluster: web });
        await simulation().until(HOST, 'active');
        await simulation().until(OTHER, 'active');
        expect([HOST, OTHER].map(runsFlannel)).toEqual([true, true]);
        expect(await etcd.get(`${prefix}/config`)).toBe(JSON.stringify({ Network: SIMULATED_NETWORK }));
      });

      test('a host that joins later runs flannel, and one that leaves neither runs it nor has a subnet', async () => {
        await simulation().enrolMachines([HOST, OTHER]);
        await simulation().until(HOST, 'disassociated');
        await simulation().until(OTHER, 'disassociated');
        for (const host of [HOST, OTHER]) await addMember(simulation().ports, LOCAL_ACTOR, web, host);
        for (const host of [HOST, OTHER]) await workIsDone(host);
        expect([HOST, OTHER].map(runsFlannel)).toEqual([true, true]);
        const keys = [await lease(HOST), await lease(OTHER)] as const;
        await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
        await workIsDone(HOST);
        expect([HOST, OTHER].map(runsFlannel)).toEqual([false, true]);
        expect([await etcd.get(keys[0]), await etcd.get(keys[1])]).toEqual([
          undefined,
          expect.stringContaining(OTHER),
        ]);
      });

      test('a host that is in another network before it has left the first stays in it, and leaves it in the end', async () => {
        const options = { endpoints: etcd.endpoints, prefix: `${prefix}-other`, network: SIMULATED_NETWORK };
        await simulation().makeCluster('db', undefined, { name: 'other', type: 'flannel_etcd', options });
        await simulation().enrolMachines([HOST], {}, { cluster: web });
        await simulation().until(HOST, 'active');
        simulation()
          .fleet.host(HOST)
          .addFault({ kind: 'exit', exitCode: 1, times: 1, on: /undo sh flannel_etcd$/ });
        const before = simulation().commandsOn(HOST).length;
        await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
        await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
        await workIsDone(HOST);
        const ran = simulation()
          .commandsOn(HOST)
          .slice(before)
          .flatMap(command => /sh (flannel_etcd|other)\b/.exec(command)?.[1] ?? []);
        expect([ran, runsFlannel(HOST)]).toEqual([['flannel_etcd', 'other', 'flannel_etcd'], true]);
        await removeMember(simulation().ports, LOCAL_ACTOR, db, HOST);
        await workIsDone(HOST);
        expect(runsFlannel(HOST)).toBe(false);
      });

      test('a host fails, and says why, where another configuration is', async () => {
        await etcd.put(`${prefix}/config`, '{"Network":"10.9.0.0/16"}');
        await simulation().enrolMachines([HOST], {}, { cluster: web });
        await simulation().until(HOST, 'failed (network)');
        expect((await simulation().host(HOST))?.reason).toMatch(/10\.9\.0\.0.*does not overwrite it/);
        expect(runsFlannel(HOST)).toBe(false);
      });
    },
  );
});
