import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { HealthReport } from '../../domain/health-check.ts';
import type { Store } from '../../store/store.ts';

export interface ScrapeSources {
  readonly store: Pick<Store, 'reads' | 'poolStats'>;
  readonly healthReport: () => Promise<HealthReport>;
  readonly subscriberCount: () => number;
  readonly eventPosition: () => number;
}

/** What one scrape reads from the store. */
export type Snapshot = Awaited<ReturnType<typeof readStore>>;

async function readStore({ store: { reads }, healthReport }: ScrapeSources) {
  const { statistics } = reads;
  const nowMs = await reads.nowMs();
  const hosts = await statistics.countHosts();
  // SQLite queries block the event loop. Other requests run between the larger queries.
  await nextTurn();
  const phases = await statistics.countPhases();
  await nextTurn();
  const report = await healthReport();
  await nextTurn();
  const { task: taskDueAtMs } = await reads.hostQueue.getNextDue();
  return {
    nowMs,
    hosts,
    phases,
    report,
    /** When the earliest unclaimed task is due; null if there is no such task. */
    taskDueAtMs,
    clusters: await statistics.countClusters(),
    operations: await statistics.countOperations(),
    isGloballyPaused: await reads.serviceFlags.isGloballyPaused(),
    events: await statistics.getEventStats(),
    servers: await statistics.countServers(nowMs),
    webhooks: await statistics.listWebhooks(),
  };
}

/** Returns `undefined` if the store is unavailable. */
export async function readSnapshot(sources: ScrapeSources): Promise<Snapshot | undefined> {
  try {
    return await readStore(sources);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}
