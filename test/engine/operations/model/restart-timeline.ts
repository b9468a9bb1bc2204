import { requestOperation } from './actions.ts';
import type { Setup } from './history.ts';
import type { Environment } from './run-history.ts';
import { advanceUntil, createCluster } from './run-history.ts';
import { isOpen } from './stored-state.ts';

const MAX_MS = 20 * 60_000;

/** A commit of the server during an operation, counted from its start. */
export interface TimelineEntry {
  readonly commit: number;
  /** Number of calls and results of the server before the commit. */
  readonly call: number;
  /** Phases of the hosts after the commit. */
  readonly phases: string;
}

/** Runs an operation without faults and returns the commits of its server. */
export async function recordTimeline(environment: Environment, setup: Setup): Promise<readonly TimelineEntry[]> {
  const entries = new Map<number, TimelineEntry>();
  let record = () => {};
  const cluster = await createCluster({ ...environment, onCommit: () => record() }, setup);
  const { simulation, monitor } = cluster;
  await cluster.startServer();
  const [, server] = simulation.servers;
  if (server === undefined) throw new Error('the server has not started');
  const { control } = server;
  record = () => {
    const [commit, phases] = [control.commits + 1, monitor.state.planned.map(({ phase }) => phase).join()];
    // A commit of a client has the number of the next commit of the server, which replaces it.
    entries.set(commit, { commit, call: control.callCount, phases });
  };
  await requestOperation(cluster, setup.request);
  await advanceUntil(cluster, () => !monitor.state.operations.some(isOpen), MAX_MS);
  await simulation.close();
  return [...entries.values()];
}

/** The commits that change a phase. Most others belong to waits for reboots and repeat each other. */
export const listPhaseChanges = (timeline: readonly TimelineEntry[]): readonly TimelineEntry[] =>
  timeline.filter(({ phases }, index) => phases !== timeline[index - 1]?.phases);
