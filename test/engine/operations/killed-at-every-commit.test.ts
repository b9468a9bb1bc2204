// A server crashes just before or just after a commit of a restart, or does not receive its response. The next server
// starts at once, or after the host has booted. The restart is completed, and each host reboots once. The long run on
// SQLite covers each commit, the long run on PostgreSQL each commit that changes a phase. Short runs cover a share of them,
// and both kinds of crashes around a reboot.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitFault } from '../../harness/faults.ts';
import { COMMIT_FAULTS, CRASHES } from '../../harness/faults.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import type { FaultAtCommit } from '../../harness/simulation/server-control.ts';
import type { StoreKind } from '../../harness/stores/stores.ts';
import { describeByStore } from '../../harness/stores/stores.ts';
import { IS_LONG_RUN } from '../../harness/vitest/long-run.ts';
import { requestOperation } from './model/actions.ts';
import { DEFAULT_SETUP } from './model/history.ts';
import type { TimelineEntry } from './model/restart-timeline.ts';
import { listPhaseChanges, recordTimeline } from './model/restart-timeline.ts';
import { advanceUntil, checkEndState, createCluster } from './model/run-history.ts';
import { isOpen } from './model/stored-state.ts';

const MINUTE = 60_000;
const AFTER_BOOT_MS = DEFAULT_SETUP.bootMs + 10_000;

const isAtReboot = ({ phases }: TimelineEntry) => /armed|rebooting/.test(phases);

function selectCommits(timeline: readonly TimelineEntry[], kind: StoreKind): readonly TimelineEntry[] {
  if (IS_LONG_RUN && kind === 'sqlite') return timeline;
  const changes = listPhaseChanges(timeline);
  if (IS_LONG_RUN || kind === 'sqlite') return changes;
  // PostgreSQL is slower.
  return changes.filter(isAtReboot).slice(0, 2);
}

/** In short runs on SQLite, `crash_after` happens at the commits with an odd index, the other faults at those between. */
const shareOf = (fault: CommitFault, commits: readonly TimelineEntry[], kind: StoreKind): readonly TimelineEntry[] =>
  IS_LONG_RUN || kind === 'postgres'
    ? commits
    : commits.filter((_, index) => index % 2 === COMMIT_FAULTS.indexOf(fault) % 2);

describeByStore(
  kind => `a server with a fault at a commit of a restart, on ${kind}`,
  kind => {
    let store: ReusedStore;
    let commits: readonly TimelineEntry[];
    beforeAll(async () => {
      store = await reusedStore(kind);
      const timeline = await recordTimeline({ store }, DEFAULT_SETUP);
      commits = selectCommits(timeline, kind);
      expect(commits.length).toBeGreaterThanOrEqual(kind === 'sqlite' ? 15 : 2);
    });
    afterAll(() => store.close());

    async function restartTwoHosts(atCommit: FaultAtCommit, outageMs: number): Promise<void> {
      const cluster = await createCluster({ store }, { ...DEFAULT_SETUP, faultsAtCommits: [atCommit] });
      const { simulation, monitor } = cluster;
      await cluster.startServer();
      const control = simulation.servers[1]?.control;
      await requestOperation(cluster, DEFAULT_SETUP.request);
      const hasEnded = () => !monitor.state.operations.some(isOpen);
      const hasCrashed = () => control?.isKilled === true;
      await advanceUntil(cluster, () => hasCrashed() || hasEnded(), 20 * MINUTE);
      const message = `${JSON.stringify(atCommit)}, next server after ${outageMs} ms`;
      expect(hasCrashed(), message).toBe(atCommit.fault !== 'lose_response');
      if (hasCrashed()) await simulation.clock.advance(outageMs);
      await advanceUntil(cluster, hasEnded, 20 * MINUTE);
      expect(monitor.violation ?? (await checkEndState(cluster)), message).toBeUndefined();
      expect(
        monitor.state.planned.map(({ phase }) => phase),
        message,
      ).toEqual(['done', 'done']);
      for (const { host } of monitor.state.planned) {
        const requested = simulation.fleet.host(host).boots.filter(({ cause }) => cause === 'requested');
        expect(requested, `${host}: ${message}`).toHaveLength(1);
      }
      if (!hasCrashed()) expect(control?.commits, message).toBeGreaterThanOrEqual(atCommit.commit);
      await simulation.close();
    }

    test.each(COMMIT_FAULTS)('leaves both hosts done and rebooted once after the fault %s', async fault => {
      for (const { commit } of shareOf(fault, commits, kind)) await restartTwoHosts({ commit, fault }, 0);
    });

    test.each(CRASHES)(
      'leaves both hosts done and rebooted once after the fault %s, if no server runs until the host has booted',
      async fault => {
        const covered = IS_LONG_RUN ? commits : commits.filter(isAtReboot);
        for (const { commit } of covered) await restartTwoHosts({ commit, fault }, AFTER_BOOT_MS);
      },
    );
  },
);
