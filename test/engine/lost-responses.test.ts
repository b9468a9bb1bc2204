// The store commits a transaction, and the connection breaks before its response arrives. The server does not know
// whether it has claimed a host or saved a step.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { COMMITS_OF_START } from '../harness/simulation/server-control.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

/** The first command of each step that starts commands. */
const FIRST_COMMANDS = ['facts', 'id -u'];
/** More than the commits of a bootstrap. */
const MAX_COMMITS = 40;

describeSimulation(
  'a server that loses the response to a commit',
  {
    per: 'suite',
    kinds: SQLITE_UNLESS_LONG,
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  simulation => {
    /** Returns false if the bootstrap ended before this commit. */
    async function bootstrapWithLostResponse(commit: number): Promise<boolean> {
      const address = `127.7.0.${commit}`;
      simulation().addHost(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: toRecordName('web') });
      const { control } = await simulation().startServer({ atCommit: { commit, fault: 'lose_response' } });
      const isIdle = async () =>
        (await simulation().describeStatus(address)) === 'active' &&
        (await simulation().store.reads.tasks.list(address as Address)).length === 0;
      await simulation().clock.advanceUntil(isIdle, 2 * MINUTE);
      const commands = simulation().commandsRunOn(address);
      for (const first of FIRST_COMMANDS) {
        const runs = commands.filter(command => command === first);
        expect(runs, `commit ${commit}`).toHaveLength(1);
      }
      control.inject('kill_server');
      return control.commits >= commit;
    }

    test('bootstraps the host without another server, and runs no saved step again', async () => {
      let commit = COMMITS_OF_START + 1;
      while (await bootstrapWithLostResponse(commit)) {
        commit += 1;
        expect(commit, 'a bootstrap has fewer commits').toBeLessThan(MAX_COMMITS);
      }
      expect(commit).toBeGreaterThan(10);
    });
  },
);
