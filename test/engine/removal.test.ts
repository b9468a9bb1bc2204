import { describe, expect, test } from 'vitest';
import type { EnrolmentRequest } from '../../src/app/hosts/enrol-host.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { OTHER_HOST_KEY } from '../harness/credentials.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

describeSimulation(
  'a removed host',
  {
    per: 'suite',
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  (simulation, stored) => {
    const isForgotten = async (address: Address) => {
      const { tasks, hostQueue } = simulation().store.reads;
      const { task: dueTask, check } = await hostQueue.getNextDue();
      return (await tasks.list(address)).length === 0 && dueTask === null && check === null;
    };

    test('leaves nothing behind when it is removed at any commit of its bootstrap', async () => {
      const { control } = await simulation().startServer();
      for (let commits = 0; ; commits += 1) {
        const address = `127.4.0.${commits + 1}` as Address;
        simulation().addHost(address, { os: 'fedora' });
        const before = control.commits;
        await simulation().enrol(address, { cluster: toRecordName('web') });
        const isActive = async () => (await simulation().describeStatus(address)) === 'active';
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
        expect(await simulation().trivialNodes('nodes')).toEqual([]);
        expect(simulation().fleet.counters.connectionsOpen).toBe(0);
        if (wasActive) {
          // The claim and each step.
          expect(commits).toBeGreaterThan(3);
          return;
        }
      }
    });

    test('leaves nothing behind when it had failed outside a cluster', async () => {
      await simulation().startServer();
      await simulation().enrolHosts(['127.4.2.1'], { faults: [{ kind: 'auth_rejected' }] });
      await simulation().waitForStatus('127.4.2.1', 'failed (auth_rejected)');
      await simulation().remove('127.4.2.1');
      expect(await stored()).not.toContain('"127.4.2.1"');
    });

    describe.each([true, false])('when enrolled again at once (in a cluster before: %s)', isMember => {
      const cluster = isMember ? toRecordName('web') : undefined;
      const slow = { faults: [{ kind: 'slow', commandMs: 3000 }] } as const;
      const enrolTwice = async (address: Address, secondRequest: Partial<EnrolmentRequest>) => {
        await simulation().startServer();
        simulation().addHost(address, slow);
        const first = await simulation().enrol(address, { cluster });
        await simulation().clock.advance(1000);
        await simulation().remove(address);
        const second = await simulation().enrol(address, secondRequest);
        expect(second.enrolment).not.toBe(first.enrolment);
      };

      test('is bootstrapped once, with its own connection', async () => {
        const address = `127.4.3.${isMember ? 1 : 2}` as Address;
        await enrolTwice(address, {});
        await simulation().waitForStatus(address, 'disassociated');
        // The command that was running at the removal, then those of the new host.
        expect(simulation().commandsRunOn(address)).toEqual(['facts', 'facts', 'id -u']);
        expect(await simulation().trivialNodes('nodes')).toEqual([]);
      });

      test('must present the new host keys from the first command on', async () => {
        const address = `127.4.4.${isMember ? 1 : 2}` as Address;
        await enrolTwice(address, { hostKeys: [OTHER_HOST_KEY] });
        await simulation().waitForStatus(address, 'failed (host_key_changed)');
        expect(simulation().commandsRunOn(address)).toEqual(['facts']);
      });
    });
  },
);
