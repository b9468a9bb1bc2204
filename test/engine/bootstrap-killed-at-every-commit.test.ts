// Kills a server just before and just after a commit of a bootstrap. The next server must complete the bootstrap
// without repeating steps that are saved as done. On PostgreSQL, only the long run covers each commit.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { CRASHES } from '../harness/faults.ts';
import type { FaultAtCommit } from '../harness/simulation/server-control.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

const COMMANDS_OF: Readonly<Record<string, RegExp>> = {
  gather_facts: /^facts$/,
  install_prerequisites: /^id -u$/,
};

/** Upper limit, above the number of commits of a bootstrap. */
const MAX_COMMITS = 40;
const STRIDE_ON_POSTGRES = IS_LONG_RUN ? 1 : 5;

describeSimulation(
  'a crash at a commit of a bootstrap',
  {
    per: 'suite',
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  simulation => {
    /** Bootstraps a new host with a server that crashes. Returns true if the bootstrap ended before the crash. */
    async function bootstrapUntilCrash(address: string, atCommit: FaultAtCommit): Promise<boolean> {
      simulation().addHost(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: toRecordName('web') });
      const { control } = await simulation().startServer({ atCommit });
      const hasEnded = async () => control.isKilled || (await simulation().describeStatus(address)) === 'active';
      await simulation().clock.advanceUntil(hasEnded, MINUTE);
      const hasSurvived = !control.isKilled;
      control.inject('kill_server');
      return hasSurvived;
    }

    async function expectRecovery(address: string): Promise<void> {
      const [saved] = await simulation().store.reads.tasks.listSaved(address as Address);
      const done = Object.keys(saved?.state.done ?? {});
      const before = simulation().commandsRunOn(address).length;
      const { control, warnings } = await simulation().startServer();
      await simulation().waitForStatus(address, 'active', 2 * MINUTE);
      const isIdle = async () => (await simulation().store.reads.tasks.list(address as Address)).length === 0;
      await simulation().clock.advanceUntil(isIdle, MINUTE);
      const after = simulation().commandsRunOn(address).slice(before);
      for (const step of done) {
        const repeated = after.filter(command => COMMANDS_OF[step]?.test(command) === true);
        expect(repeated, `${step} was saved as done`).toEqual([]);
      }
      expect(warnings).toEqual([]);
      expect((await simulation().host(address))?.registeredWith).toBe('nodes');
      control.inject('kill_server');
    }

    test.each(CRASHES)('each host becomes active after the fault %s at a commit', async fault => {
      const stride = simulation().store.isShared ? STRIDE_ON_POSTGRES : 1;
      // With a stride, the two series cover different commits.
      let commit = fault === 'crash_before' ? 1 : Math.min(2, stride);
      for (; ; commit += stride) {
        const address = `127.${fault === 'crash_before' ? 1 : 2}.0.${commit}`;
        const hasSurvived = await bootstrapUntilCrash(address, { commit, fault });
        if (hasSurvived) break;
        await expectRecovery(address);
        expect(commit, 'the bootstrap ends').toBeLessThan(MAX_COMMITS);
      }
      // Server start, claim and five steps. A smaller number means that crashes were missed.
      expect(commit).toBeGreaterThan(7);
    });
  },
);
