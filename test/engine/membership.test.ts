import { expect, test } from 'vitest';
import { addMember, removeMember } from '../../src/app/clusters/change-members.ts';
import { removeCluster } from '../../src/app/clusters/manage-clusters.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

const HOST = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const [web, db] = [toRecordName('web'), toRecordName('db')];

describeSimulation(
  'cluster membership',
  {
    per: 'test',
    prepare: async simulation => {
      await simulation.makeCluster('web', 'nodes');
      await simulation.makeCluster('db');
      await simulation.startServer();
    },
  },
  simulation => {
    const enrolBoth = async () => {
      await simulation().enrolHosts([HOST, OTHER]);
      await simulation().waitForStatus(HOST, 'disassociated');
      await simulation().waitForStatus(OTHER, 'disassociated');
    };
    const untilIdle = () =>
      simulation().clock.advanceUntil(async () => {
        const left = [HOST, OTHER].map(address => simulation().store.reads.tasks.list(address));
        return (await Promise.all(left)).flat().length === 0;
      }, MINUTE);

    test('activates a host that joins after it is registered with the container manager', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      expect(await simulation().describeStatus(HOST)).toBe('disassociated');
      await simulation().waitForStatus(HOST, 'active');
      expect(await simulation().trivialNodes('nodes')).toEqual([HOST]);
    });

    test('removes only the node of the host that leaves', async () => {
      await enrolBoth();
      for (const host of [HOST, OTHER]) await addMember(simulation().ports, LOCAL_ACTOR, web, host);
      await simulation().waitForStatus(HOST, 'active');
      await simulation().waitForStatus(OTHER, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      expect(await simulation().describeStatus(HOST)).toBe('disassociated');
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([OTHER]);
      expect(await simulation().describeStatus(OTHER)).toBe('active');
    });

    test('ends with a node when a host leaves and joins again at once', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([HOST]);
    });

    test('ends disassociated without a node when a host leaves during its bootstrap', async () => {
      await simulation().enrolHosts([HOST], { faults: [{ kind: 'slow', commandMs: 5000 }] }, { cluster: web });
      await simulation().waitForStatus(HOST, 'bootstrapping');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'disassociated');
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([]);
    });

    test('activates a host in the cluster it moves to', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      expect(await simulation().describeStatus(HOST)).toBe('active');
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([]);
    });

    test('disassociates the members of a removed cluster and removes their nodes', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      await removeCluster(simulation().ports, LOCAL_ACTOR, { name: web, expected: undefined });
      expect(await simulation().describeStatus(HOST)).toBe('disassociated');
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([]);
    });

    test('does not block bootstrap or cluster changes while the container manager is unavailable', async () => {
      simulation().managerFaults('nodes').inject('fail_manager');
      await simulation().enrolHosts([HOST], {}, { cluster: web });
      await simulation().waitForStatus(HOST, 'disassociated');
      const [task] = await simulation().store.reads.tasks.listSaved(HOST);
      expect(task?.state).toMatchObject({
        step: 'join_container_manager',
        problem: 'container_manager: connection refused',
      });
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      await simulation().clock.advance(MINUTE);
      expect(await simulation().describeStatus(HOST)).toBe('active');
      simulation().managerFaults('nodes').revert('fail_manager');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().store.reads.tasks.list(HOST)).toEqual([]);
      expect(await simulation().trivialNodes('nodes')).toEqual([]);
    });

    test('ends with a node when a host joins again while its container manager is unavailable', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      simulation().managerFaults('nodes').inject('fail_manager');
      await removeMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().clock.advance(MINUTE);
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().clock.advance(MINUTE);
      simulation().managerFaults('nodes').revert('fail_manager');
      await simulation().waitForStatus(HOST, 'active');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().trivialNodes('nodes')).toEqual([HOST]);
    });

    test('ends without a node or registration when a host leaves during its registration', async () => {
      await enrolBoth();
      simulation().interruptManager(() => removeMember(simulation().ports, LOCAL_ACTOR, web, HOST));
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await untilIdle();
      expect(await simulation().trivialNodes('nodes')).toEqual([]);
      expect(await simulation().host(HOST)).toMatchObject({ status: 'disassociated', registeredWith: null });
    });

    test('keeps checking a host that was enrolled again before the removal of the old one ended', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, web, HOST);
      await simulation().waitForStatus(HOST, 'active');
      simulation().managerFaults('nodes').inject('fail_manager');
      await simulation().remove(HOST);
      await simulation().enrol(HOST);
      await simulation().waitForStatus(HOST, 'disassociated');
      simulation().managerFaults('nodes').revert('fail_manager');
      await simulation().clock.advance(10 * MINUTE);
      expect(await simulation().store.reads.tasks.list(HOST)).toEqual([]);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().waitForStatus(HOST, 'unreachable (unreachable)', 3 * MINUTE);
    });

    test('disassociates an unreachable host that left, when it responds again', async () => {
      await enrolBoth();
      await addMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
      await simulation().waitForStatus(HOST, 'unreachable (unreachable)');
      await removeMember(simulation().ports, LOCAL_ACTOR, db, HOST);
      expect(await simulation().describeStatus(HOST)).toBe('unreachable (unreachable)');
      simulation().fleet.host(HOST).clearFaults();
      await simulation().waitForStatus(HOST, 'disassociated');
    });
  },
);
