// Crashes a server just before and just after a commit of a restart. The next server completes the restart, and
// each host reboots once. The long run crashes at each commit, the short run at a sample.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Crash } from '../../harness/simulation/killable-server.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { describeStores } from '../../harness/stores/stores.ts';
import { requestOperation } from './model/actions.ts';
import { DEFAULT_SETUP } from './model/history.ts';
import { advanceUntil, checkEndState, createCluster } from './model/run-history.ts';
import { isOpen } from './model/stored-state.ts';

const MINUTE = 60_000;
/** Upper limit, above the number of commits of a restart. */
const MAX_COMMITS = 200;
/** The long run tests every commit on SQLite. PostgreSQL is slow, so a sample is enough there. */
const STRIDES = process.env['HOSTLER_TEST_ALL'] ? { sqlite: 1, postgres: 15 } : { sqlite: 13, postgres: 60 };

describeStores(
  kind => `a server that crashes at a commit of a restart, on ${kind}`,
  kind => {
    let store: ReusedStore;
    beforeAll(async () => {
      store = await reusedStore(kind);
    });
    afterAll(() => store.close());

    /** Restarts two hosts on a server that crashes. Returns true if the restart ended before the crash. */
    async function restartUntilCrash(crash: Crash): Promise<boolean> {
      const cluster = await createCluster({ store }, { ...DEFAULT_SETUP, crashes: [crash] });
      const { simulation, monitor } = cluster;
      await cluster.startServer();
      await requestOperation(cluster, DEFAULT_SETUP.request);
      const hasEnded = () => !monitor.state.operations.some(isOpen);
      expect(await advanceUntil(cluster, hasEnded, 20 * MINUTE), monitor.violation).toBe(true);
      expect(monitor.violation ?? (await checkEndState(cluster))).toBeUndefined();
      expect(monitor.state.planned.map(({ phase }) => phase)).toEqual(['done', 'done']);
      for (const { host } of monitor.state.planned) {
        const requested = simulation.fleet.host(host).boots.filter(({ cause }) => cause === 'requested');
        expect(requested, `${crash.when} commit ${crash.commit}`).toHaveLength(1);
      }
      const hasSurvived = !simulation.servers.slice(1).some(({ control }) => control.isDead);
      await simulation.close();
      return hasSurvived;
    }

    const stride = STRIDES[kind];

    test.each(['before', 'after'] as const)(
      'leaves both hosts done and rebooted once when it crashes just %s the commit',
      async when => {
        let commit = 1;
        while (!(await restartUntilCrash({ commit, when }))) {
          commit += stride;
          expect(commit, 'a restart has fewer commits').toBeLessThan(MAX_COMMITS);
        }
        // Start, plan and each step of both hosts. A smaller number means that the server never crashed.
        expect(commit).toBeGreaterThan(30);
      },
    );
  },
);
