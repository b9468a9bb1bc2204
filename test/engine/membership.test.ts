import { expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { removeCluster } from '../../src/app/clusters/manage-clusters.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

const HOST = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const [web, db] = [toRecordName('web'), toRecordName('db')];

simulateOnEachStore(
  'what membership means for a host',
  {
    per: 'test',
    prepare: async simulation => {
      await simulation.makeCluster('web', 'nodes');
      await simulation.makeCluster('db');
      await simulation.startServer();
    },
  },
  simulation => {
    const ready = async () => {
      await simulation().enrolMachines([HOST, OTHER]);
      await simulation().until(HOST, 'disassociated');
      await simulation().until(OTHER, 'disassociated');
    };
    const workIsDone = () =>
      simulation().clock.advanceUntil(async () => {
        const left = [HOST, OTHER].map(address => simulation().store.reads.tasks.list(address));
        return (await Promise.all(left)).flat().length === 0;
      }, MINUTE);

    test('a host that joins a cluster with a container manager is active once it is registered there', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      expect(await simulation().statusOf(HOST)).toBe('disassociated');
      await simulation().until(HOST, 'active');
      expect(await simulation().nodes('nodes')).toEqual([HOST]);
    });

    test('a host that leaves is taken out of it, and no other', async () => {
      await ready();
      for (const host of [HOST, OTHER]) await addMember(simulation().ports, LOCAL_ACTOR, web, host);
      await simulation().until(HOST, 'active');
      await simulation().until(OTHER, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      expect(await simulation().statusOf(HOST)).toBe('disassociated');
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([OTHER]);
      expect(await simulation().statusOf(OTHER)).toBe('active');
    });

    test('a host that leaves and comes back at once is a node in the end', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([HOST]);
    });

    test('a host that leaves while it is bootstrapped ends disassociated, and is no node', async () => {
      await simulation().enrolMachines(
        [HOST],
        { faults: [{ kind: 'slow', commandMs: 5000 }] },
        { cluster: web },
      );
      await simulation().until(HOST, 'bootstrapping');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'disassociated');
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([]);
    });

    test('a host that moves from one cluster to another is active in the other', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      expect(await simulation().statusOf(HOST)).toBe('active');
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([]);
    });

    test('when the cluster is removed, its members are disassociated, and no nodes any more', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      await removeCluster(simulation().ports, LOCAL_ACTOR, { name: web, expected: undefined });
      expect(await simulation().statusOf(HOST)).toBe('disassociated');
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([]);
    });

    test('a container manager that is away keeps no host from being ready, and none from moving on', async () => {
      simulation().breakManager('nodes');
      await simulation().enrolMachines([HOST], {}, { cluster: web });
      await simulation().until(HOST, 'disassociated');
      const [work] = await simulation().store.reads.tasks.listSaved(HOST);
      expect(work?.state).toMatchObject({
        step: 'join_container_manager',
        problem: 'container_manager: it is away',
      });
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      await simulation().clock.advance(MINUTE);
      expect(await simulation().statusOf(HOST)).toBe('active');
      simulation().mendManager('nodes');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().store.reads.tasks.list(HOST)).toEqual([]);
      expect(await simulation().nodes('nodes')).toEqual([]);
    });

    test('a host that comes back while its manager is away is a node in the end', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      simulation().breakManager('nodes');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().clock.advance(MINUTE);
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().clock.advance(MINUTE);
      simulation().mendManager('nodes');
      await simulation().until(HOST, 'active');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().nodes('nodes')).toEqual([HOST]);
    });

    test('a host that leaves while it is being registered is no node in the end, and does not count as one', async () => {
      await ready();
      simulation().interruptManager(() => removeMember(simulation().ports, LOCAL_ACTOR, web, HOST));
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await workIsDone();
      expect(await simulation().nodes('nodes')).toEqual([]);
      expect(await simulation().host(HOST)).toMatchObject({ status: 'disassociated', registeredWith: null });
    });

    test('a host that takes the place of one that was removed stays watched when that has left at last', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().until(HOST, 'active');
      simulation().breakManager('nodes');
      await simulation().remove(HOST);
      await simulation().enrol(HOST);
      await simulation().until(HOST, 'disassociated');
      simulation().mendManager('nodes');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().store.reads.tasks.list(HOST)).toEqual([]);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().until(HOST, 'unreachable (unreachable)', 3 * MINUTE);
    });

    test('an unreachable host that leaves is disassociated when it answers again', async () => {
      await ready();
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().until(HOST, 'unreachable (unreachable)');
      await removeMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      expect(await simulation().statusOf(HOST)).toBe('unreachable (unreachable)');
      simulation().fleet.host(HOST).clearFaults();
      await simulation().until(HOST, 'disassociated');
    });
  },
);
