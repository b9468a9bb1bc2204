import type { HttpMetrics } from '../../http/observability.ts';
import { systemClock, waitUpTo } from '../../lib/time/clock.ts';
import { createEngineMetrics, ENGINE_METRICS } from './engine-metrics.ts';
import { createEventMetrics, EVENT_METRICS } from './event-metrics.ts';
import { createFleetMetrics, FLEET_METRICS } from './fleet-metrics.ts';
import { createHealthMetrics, HEALTH_METRICS } from './health-metrics.ts';
import {
  CONNECTION_METRICS,
  createConnectionMetrics,
  createLoginMetrics,
  createRequestMetrics,
  LOGIN_METRICS,
  REQUEST_METRICS,
} from './http-metrics.ts';
import type { Metric } from './metric.ts';
import { createProcessMetrics, PROCESS_METRICS } from './process-metrics.ts';
import { formatOpenMetrics, formatPrometheus, Registry } from './registry.ts';
import type { ScrapeSources } from './snapshot.ts';
import { readSnapshot } from './snapshot.ts';
import { createStoreMetrics, STORE_METRICS } from './store-metrics.ts';
import { createTransportMetrics, TRANSPORT_METRICS } from './transport-metrics.ts';

// Metrics of the server and their export. Invariants: each metric is defined once, in METRIC_CATALOG; other
// modules know only their own metrics port, not this module; metrics contain no host address, account or
// command output; simultaneous scrapes share one read of the store.

/** The default timeout of a Prometheus scrape is ten seconds, and the login can take three. */
const STORE_TIMEOUT_MS = 3000;

export type MetricsService = ReturnType<typeof startMetrics>;

/** `schema` is the newest migration. */
export function startMetrics(version: string, schema: string) {
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
  const processMetrics = createProcessMetrics(registry, version, schema);

  const read = async (sources: ScrapeSources) => {
    const snapshot = await waitUpTo(systemClock, STORE_TIMEOUT_MS, () => readSnapshot(sources));
    store.set(snapshot !== undefined, sources.store.poolStats?.());
    setFleet(snapshot);
    setHealth(snapshot);
    events.subscribers.set(sources.subscriberCount());
    events.position.set(sources.eventPosition());
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
    createExporter: (sources: ScrapeSources): HttpMetrics => {
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
