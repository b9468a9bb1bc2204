// Crashes a server just before and just after a commit of a restart. The next server completes the restart, and
// each host reboots once. The long run crashes at each commit, the short run at each commit that changes a phase.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_LONG_RUN } from '../../harness/long-run.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import type { Crash } from '../../harness/simulation/server-control.ts';
import { describeStores } from '../../harness/stores/stores.ts';
import { requestOperation } from './model/actions.ts';
import { DEFAULT_SETUP } from './model/history.ts';
import type { TimelineEntry } from './model/restart-timeline.ts';
import { listPhaseChanges, recordTimeline } from './model/restart-timeline.ts';
import { advanceUntil, checkEndState, createCluster } from './model/run-history.ts';
import { isOpen } from './model/stored-state.ts';

const MINUTE = 60_000;
/** PostgreSQL is slow, so the short run tests a share of the commits there. */
const STRIDE_ON_POSTGRES = 9;

describeStores(
  kind => `a server that crashes at a commit of a restart, on ${kind}`,
  kind => {
    let store: ReusedStore;
    let commits: readonly TimelineEntry[];
    beforeAll(async () => {
      store = await reusedStore(kind);
      const timeline = await recordTimeline({ store }, DEFAULT_SETUP);
      commits = IS_LONG_RUN && kind === 'sqlite' ? timeline : listPhaseChanges(timeline);
    });
    afterAll(() => store.close());

    /** Restarts two hosts on a server that crashes. */
    async function restartWithCrash(crash: Crash): Promise<void> {
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
      expect(simulation.servers[1]?.control.isKilled, `commit ${crash.commit} is reached`).toBe(true);
      await simulation.close();
    }

    test.each(['before', 'after'] as const)(
      'leaves both hosts done and rebooted once when it crashes just %s the commit',
      async when => {
        expect(commits.length).toBeGreaterThan(15);
        const stride = IS_LONG_RUN || kind === 'sqlite' ? 1 : STRIDE_ON_POSTGRES;
        // With a stride, the two series cover different commits.
        const first = when === 'before' ? 0 : Math.floor(stride / 2);
        for (let index = first; index < commits.length; index += stride)
          await restartWithCrash({ commit: commits[index]?.commit ?? 0, when });
      },
    );
  },
);
