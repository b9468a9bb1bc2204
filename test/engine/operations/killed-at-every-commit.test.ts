// A server crashes just before or just after a commit of a restart, or does not receive its response. The restart is
// completed, and each host reboots once. The long run on SQLite covers each commit. The long run on PostgreSQL covers the
// commits that change a phase, and short runs a share of them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMIT_FAULTS } from '../../harness/faults.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import type { FaultAtCommit } from '../../harness/simulation/server-control.ts';
import { describeByStore } from '../../harness/stores/stores.ts';
import { IS_LONG_RUN } from '../../harness/vitest/long-run.ts';
import { requestOperation } from './model/actions.ts';
import { DEFAULT_SETUP } from './model/history.ts';
import type { TimelineEntry } from './model/restart-timeline.ts';
import { listPhaseChanges, recordTimeline } from './model/restart-timeline.ts';
import { advanceUntil, checkEndState, createCluster } from './model/run-history.ts';
import { isOpen } from './model/stored-state.ts';

const MINUTE = 60_000;
/** PostgreSQL is slower, so the short run covers fewer commits there. */
const SHORT_STRIDES = { sqlite: 2, postgres: 9 };

describeByStore(
  kind => `a server with a fault at a commit of a restart, on ${kind}`,
  kind => {
    let store: ReusedStore;
    let commits: readonly TimelineEntry[];
    beforeAll(async () => {
      store = await reusedStore(kind);
      const timeline = await recordTimeline({ store }, DEFAULT_SETUP);
      commits = IS_LONG_RUN && kind === 'sqlite' ? timeline : listPhaseChanges(timeline);
    });
    afterAll(() => store.close());

    async function restartTwoHosts(atCommit: FaultAtCommit): Promise<void> {
      const cluster = await createCluster({ store }, { ...DEFAULT_SETUP, faultsAtCommits: [atCommit] });
      const { simulation, monitor } = cluster;
      await cluster.startServer();
      await requestOperation(cluster, DEFAULT_SETUP.request);
      const hasEnded = () => !monitor.state.operations.some(isOpen);
      expect(await advanceUntil(cluster, hasEnded, 20 * MINUTE), monitor.violation).toBe(true);
      expect(monitor.violation ?? (await checkEndState(cluster))).toBeUndefined();
      expect(monitor.state.planned.map(({ phase }) => phase)).toEqual(['done', 'done']);
      for (const { host } of monitor.state.planned) {
        const requested = simulation.fleet.host(host).boots.filter(({ cause }) => cause === 'requested');
        expect(requested, JSON.stringify(atCommit)).toHaveLength(1);
      }
      const control = simulation.servers[1]?.control;
      expect(control?.isKilled, JSON.stringify(atCommit)).toBe(atCommit.fault !== 'lose_response');
      if (atCommit.fault === 'lose_response') expect(control?.commits).toBeGreaterThanOrEqual(atCommit.commit);
      await simulation.close();
    }

    test.each(COMMIT_FAULTS)('leaves both hosts done and rebooted once after the fault %s', async fault => {
      expect(commits.length).toBeGreaterThan(15);
      const stride = IS_LONG_RUN ? 1 : SHORT_STRIDES[kind];
      // With a stride, each fault covers other commits.
      const first = Math.floor((stride * COMMIT_FAULTS.indexOf(fault)) / COMMIT_FAULTS.length);
      for (let index = first; index < commits.length; index += stride)
        await restartTwoHosts({ commit: commits[index]?.commit ?? 0, fault });
    });
  },
);
