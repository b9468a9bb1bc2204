// A server dies at each commit of a bootstrap in turn, just before and just after: whoever comes next brings the host to its end, and
// does nothing again that was saved as done.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { Crash } from '../harness/simulation/killable-server.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

/** Which commands belong to which step. */
const COMMANDS_OF: Readonly<Record<string, RegExp>> = {
  gather_facts: /^facts$/,
  install_prerequisites: /^id -u$/,
};

/** More than a bootstrap has; the walk says how many it met. */
const MOST_COMMITS = 40;
/** On PostgreSQL, where they take long, every so many commits: a long run has them all. */
const STRIDE_ON_POSTGRES = process.env['HOSTLER_TEST_ALL'] ? 1 : 3;

simulateOnEachStore(
  'a server killed at every commit of a bootstrap',
  {
    per: 'suite',
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  simulation => {
    /** Bootstraps a host of its own under a server that dies; answers whether it lived to see the end. */
    async function bootstrapUntilCrash(address: string, crash: Crash): Promise<boolean> {
      simulation().addMachine(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: toRecordName('web') });
      const { control } = await simulation().startServer({ crash });
      const isOver = async () => control.isDead || (await simulation().statusOf(address)) === 'active';
      await simulation().clock.advanceUntil(isOver, MINUTE);
      const hasLived = !control.isDead;
      control.kill();
      return hasLived;
    }

    async function expectRecovery(address: string): Promise<void> {
      const [saved] = await simulation().store.reads.tasks.listSaved(address as Address);
      const done = Object.keys(saved?.state.done ?? {});
      const before = simulation().commandsOn(address).length;
      const { control, complaints } = await simulation().startServer();
      await simulation().until(address, 'active', 2 * MINUTE);
      const isIdle = async () => (await simulation().store.reads.tasks.list(address as Address)).length === 0;
      await simulation().clock.advanceUntil(isIdle, MINUTE);
      const after = simulation().commandsOn(address).slice(before);
      for (const step of done) {
        const repeated = after.filter(command => COMMANDS_OF[step]?.test(command) === true);
        expect(repeated, `${step} was saved as done`).toEqual([]);
      }
      expect(complaints).toEqual([]);
      expect((await simulation().host(address))?.registeredWith).toBe('nodes');
      control.kill();
    }

    test.each(['before', 'after'] as const)('each host ends active, when it died just %s it', async when => {
      const stride = simulation().store.isShared ? STRIDE_ON_POSTGRES : 1;
      // Those of both are not the same.
      let commit = when === 'before' ? 1 : Math.min(2, stride);
      for (; ; commit += stride) {
        const address = `127.${when === 'before' ? 1 : 2}.0.${commit}`;
        const hasLived = await bootstrapUntilCrash(address, { commit, when });
        if (hasLived) break;
        await expectRecovery(address);
        expect(commit, 'a bootstrap has an end').toBeLessThan(MOST_COMMITS);
      }
      // What a start takes, the claim, and each of the five steps: fewer would mean that deaths were not met.
      expect(commit).toBeGreaterThan(7);
    });
  },
);
