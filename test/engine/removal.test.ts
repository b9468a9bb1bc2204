// A host is removed at every commit of its bootstrap: that ends it, cleanly and for good.

import { describe, expect, test } from 'vitest';
import type { EnrolmentRequest } from '../../src/app/hosts/validate-enrolment.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { OTHER_HOST_KEY } from '../harness/keys.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

simulateOnEachStore(
  'a host that is removed',
  {
    per: 'suite',
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  (simulation, stored) => {
    const isForgotten = async (address: Address) => {
      const { tasks, hostQueue } = simulation().store.reads;
      const { task: workDue, check } = await hostQueue.nextDue();
      return (await tasks.list(address)).length === 0 && workDue === null && check === null;
    };

    test('does not come back, whenever that is, and leaves nothing behind', async () => {
      const { control } = await simulation().startServer();
      for (let commits = 0; ; commits += 1) {
        const address = `127.4.0.${commits + 1}` as Address;
        simulation().addMachine(address, { os: 'fedora' });
        const before = control.commits;
        await simulation().enrol(address, { cluster: toRecordName('web') });
        const isActive = async () => (await simulation().statusOf(address)) === 'active';
        await simulation().clock.advanceUntil(
          async () => control.commits >= before + commits || (await isActive()),
          MINUTE,
        );
        const wasActive = await isActive();
        await simulation().remove(address);
        await simulation().clock.advanceUntil(() => isForgotten(address), MINUTE);
        await simulation().clock.advance(5 * MINUTE);
        expect(await simulation().host(address)).toBeUndefined();
        expect(await stored(), 'no row has it').not.toContain(`"${address}"`);
        expect(await simulation().nodes('nodes')).toEqual([]);
        expect(simulation().fleet.counters.connectionsOpen).toBe(0);
        if (wasActive) {
          // The claim and each step.
          expect(commits).toBeGreaterThan(3);
          return;
        }
      }
    });

    test('that had failed, and was in no cluster, leaves nothing behind either', async () => {
      await simulation().startServer();
      await simulation().enrolMachines(['127.4.2.1'], { faults: [{ kind: 'auth_rejected' }] });
      await simulation().until('127.4.2.1', 'failed (auth_rejected)');
      await simulation().remove('127.4.2.1');
      expect(await stored()).not.toContain('"127.4.2.1"');
    });

    describe.each([true, false])(
      'enrolled again at once, as another host (it was in a cluster: %s)',
      isMember => {
        const cluster = isMember ? toRecordName('web') : undefined;
        const slow = { faults: [{ kind: 'slow', commandMs: 3000 }] } as const;
        const begin = async (address: Address, again: Partial<EnrolmentRequest>) => {
          await simulation().startServer();
          simulation().addMachine(address, slow);
          const first = await simulation().enrol(address, { cluster });
          await simulation().clock.advance(1000);
          await simulation().remove(address);
          const second = await simulation().enrol(address, again);
          expect(second.enrolment).not.toBe(first.enrolment);
        };

        test('is worked on once, by a connection of its own', async () => {
          const address = `127.4.3.${isMember ? 1 : 2}` as Address;
          await begin(address, {});
          await simulation().until(address, 'disassociated');
          // What was under way when it was removed, and then the new one.
          expect(simulation().commandsOn(address)).toEqual(['facts', 'facts', 'id -u']);
          expect(await simulation().nodes('nodes')).toEqual([]);
        });

        test('is held to the keys that were given this time, from the first command on', async () => {
          const address = `127.4.4.${isMember ? 1 : 2}` as Address;
          await begin(address, { hostKeys: [OTHER_HOST_KEY] });
          await simulation().until(address, 'failed (host_key_changed)');
          expect(simulation().commandsOn(address)).toEqual(['facts']);
        });
      },
    );
  },
);
