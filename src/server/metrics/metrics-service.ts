import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { HealthReport } from '../../domain/health-check.ts';
import type { EngineMetrics } from '../../engine/ports.ts';
import type { EventMetrics } from '../../events/ports.ts';
import type { HttpMetrics } from '../../http/observability.ts';
import { systemClock, waitUpTo } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { StoreMetrics } from '../../store/store-metrics.ts';
import { createEngineMetrics, ENGINE_METRICS } from './engine-metrics.ts';
import { createEventMetrics, EVENT_METRICS } from './event-metrics.ts';
import type { FleetSnapshot } from './fleet-metrics.ts';
import { createFleetMetrics, FLEET_METRICS } from './fleet-metrics.ts';
import type { HealthSnapshot } from './health-metrics.ts';
import { createHealthMetrics, HEALTH_METRICS } from './health-metrics.ts';
import type { LoginMetrics } from './http-metrics.ts';
import {
  CONNECTION_METRICS,
  createConnectionMetrics,
  createLoginMetrics,
  createRequestMetrics,
  LOGIN_METRICS,
  REQUEST_METRICS,
} from './http-metrics.ts';
import type { Metric } from './metric.ts';
import type { ProcessMetricsCollector } from './process-metrics.ts';
import { createProcessMetrics, PROCESS_METRICS } from './process-metrics.ts';
import { formatOpenMetrics, formatPrometheus, Registry } from './registry.ts';
import { createStoreMetrics, STORE_METRICS } from './store-metrics.ts';
import type { TransportMetrics } from './transport-metrics.ts';
import { createTransportMetrics, TRANSPORT_METRICS } from './transport-metrics.ts';

export interface ScrapeSources {
  readonly store: Pick<Store, 'reads' | 'poolStats'>;
  readonly healthReport: () => Promise<HealthReport>;
  readonly subscriberCount: () => number;
  readonly eventPosition: () => number;
}

interface ScrapeData {
  readonly fleet: FleetSnapshot;
  readonly health: HealthSnapshot;
}

async function readSnapshot({ store: { reads }, healthReport }: ScrapeSources): Promise<ScrapeData> {
  const { statistics } = reads;
  const nowMs = await reads.nowMs();
  const hosts = await statistics.countHosts();
  // SQLite queries block the event loop. Other requests run between the larger queries.
  await nextTurn();
  const phases = await statistics.countPhases();
  await nextTurn();
  const report = await healthReport();
  await nextTurn();
  const fleet = {
    nowMs,
    hosts,
    phases,
    clusters: await statistics.countClusters(),
    operations: await statistics.countOperations(),
    isGloballyPaused: await reads.serviceFlags.isGloballyPaused(),
    events: await statistics.getEventStats(),
    servers: await statistics.countServers(nowMs),
  };
  const { task: taskDueAtMs } = await reads.hostQueue.getNextDue();
  return { fleet, health: { nowMs, report, taskDueAtMs, webhooks: await statistics.listWebhooks() } };
}

export async function readScrapeData(sources: ScrapeSources): Promise<ScrapeData | undefined> {
  try {
    return await readSnapshot(sources);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

// Metrics of the server and their export. Invariants: each metric is defined once, in METRIC_CATALOG; other
// modules know only their own metrics port, not this module; metrics contain no host address, account or
// command output; simultaneous scrapes share one read of the store.

/**
 * The default timeout of a Prometheus scrape is ten seconds, and the login can take three. Metrics of the
 * server itself are exported even if the store times out.
 */
const STORE_TIMEOUT_MS = 3000;

export interface MetricsService extends Pick<ProcessMetricsCollector, 'setCertificateExpiry' | 'stop'> {
  readonly engine: EngineMetrics;
  readonly events: EventMetrics;
  readonly logins: LoginMetrics;
  readonly store: StoreMetrics;
  readonly transport: TransportMetrics;
  createExporter(sources: ScrapeSources): HttpMetrics;
}

export function startMetrics(build: { readonly version: string; readonly schema: string }): MetricsService {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const connections = createConnectionMetrics(registry);
  const logins = createLoginMetrics(registry);
  const setFleet = createFleetMetrics(registry);
  const setHealth = createHealthMetrics(registry);
  const engine = createEngineMetrics(registry);
  const transport = createTransportMetrics(registry);
  const store = createStoreMetrics(registry);
  const events = createEventMetrics(registry);
  const processMetrics = createProcessMetrics(registry, build);

  const read = async (sources: ScrapeSources) => {
    const data = await waitUpTo(systemClock, STORE_TIMEOUT_MS, () => readScrapeData(sources));
    store.setUp(data !== undefined);
    store.setPool(sources.store.poolStats?.());
    setFleet(data?.fleet);
    setHealth(data?.health);
    events.set({ subscribers: sources.subscriberCount(), position: sources.eventPosition() });
    processMetrics.read();
  };

  return {
    engine,
    transport,
    logins,
    store: store.metrics,
    events: events.metrics,
    setCertificateExpiry: processMetrics.setCertificateExpiry,
    stop: processMetrics.stop,
    createExporter: sources => {
      let pendingRead: Promise<void> | undefined;
      return {
        ...requests,
        connections,
        render: async form => {
          pendingRead ??= read(sources).finally(() => {
            pendingRead = undefined;
          });
          await pendingRead;
          return form === 'openmetrics' ? formatOpenMetrics(registry.families) : formatPrometheus(registry.families);
        },
      };
    },
  };
}

/** Every metric, by topic. The keys are headings in docs/reference/metrics.md. */
export const METRIC_CATALOG: Readonly<Record<string, readonly Metric[]>> = {
  'Requests and connections': [...Object.values(REQUEST_METRICS), ...Object.values(CONNECTION_METRICS)],
  Logins: Object.values(LOGIN_METRICS),
  'Hosts, clusters and operations': Object.values(FLEET_METRICS),
  'Health check status and webhooks': Object.values(HEALTH_METRICS),
  'Tasks and health checks': Object.values(ENGINE_METRICS),
  SSH: Object.values(TRANSPORT_METRICS),
  Store: Object.values(STORE_METRICS),
  Events: Object.values(EVENT_METRICS),
  Process: Object.values(PROCESS_METRICS),
};
