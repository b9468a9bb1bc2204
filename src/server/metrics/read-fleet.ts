import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { HealthReport } from '../../domain/health-check.ts';
import type { Store } from '../../store/store.ts';
import type { Fleet } from './fleet-metrics.ts';
import type { Watching } from './watch-metrics.ts';

/** The sources of a scrape. */
export interface MetricSources {
  readonly store: Pick<Store, 'reads' | 'poolUse'>;
  readonly watchReport: () => Promise<HealthReport>;
  readonly eventReaders: () => number;
  readonly eventPosition: () => number;
}

interface Found {
  readonly fleet: Fleet;
  readonly watching: Watching;
}

async function readAll({ store: { reads }, watchReport }: MetricSources): Promise<Found> {
  const { figures } = reads;
  const nowMs = await reads.nowMs();
  const hosts = await figures.hosts();
  // SQLite queries block this process. Other requests run after each of the larger queries.
  await nextTurn();
  const phases = await figures.phases();
  await nextTurn();
  const report = await watchReport();
  await nextTurn();
  const fleet = {
    ...{ nowMs, hosts, phases },
    clusters: await figures.clusters(),
    operations: await figures.operations(),
    isHeld: await reads.switches.isHeld(),
    events: await figures.events(),
    servers: await figures.servers(nowMs),
  };
  const { work: workDueAtMs } = await reads.agenda.nextDue();
  return { fleet, watching: { nowMs, report, workDueAtMs, webhooks: await figures.webhooks() } };
}

/** The state in the store; `undefined` if the store is unavailable. */
export async function readFleet(sources: MetricSources): Promise<Found | undefined> {
  try {
    return await readAll(sources);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}
