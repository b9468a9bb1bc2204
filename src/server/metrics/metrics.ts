// Metrics of the server and their export. Invariants: each metric is defined once, in the catalogue; the other modules know only their own
// port, not this module; metrics contain no address, account or output of a host; and simultaneous scrapes share a few store queries.

import type { TransportMetrics } from '../../drivers/transport/transport-decorators.ts';
import type { EngineMetrics } from '../../engine/ports.ts';
import type { EventMeter } from '../../events/meter.ts';
import type { HttpMetrics } from '../../http/telling/http-metrics.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/sleep.ts';
import type { StoreMeter } from '../../store/meter.ts';
import { connectionMeter } from './connection-metrics.ts';
import { engineMeter } from './engine-metrics.ts';
import { eventMetrics } from './event-metrics.ts';
import { openMetricsText, prometheusText } from './exposition.ts';
import { fleetMetrics } from './fleet-metrics.ts';
import type { LoginMeter } from './login-metrics.ts';
import { loginMeter } from './login-metrics.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import type { MetricSources } from './read-fleet.ts';
import { readFleet } from './read-fleet.ts';
import { Registry } from './registry.ts';
import { requestMeter } from './request-metrics.ts';
import { storeMetrics } from './store-metrics.ts';
import { transportMeter } from './transport-metrics.ts';
import { watchMetrics } from './watch-metrics.ts';

/** The timeout of a Prometheus scrape is ten seconds, of which the login can take three. Metrics of the server are exported in any case. */
const STORE_WITHIN_MS = 3000;

export interface Metrics extends Pick<ProcessMetrics, 'certificateUsed' | 'stop'> {
  readonly engine: EngineMetrics;
  readonly events: EventMeter;
  readonly logins: LoginMeter;
  readonly store: StoreMeter;
  readonly transport: TransportMetrics;
  /** The metrics port of the HTTP server, which reads from these sources. */
  over(sources: MetricSources): HttpMetrics;
}

/** Creates all metrics. */
export function startMetrics(build: { readonly version: string; readonly schema: string }): Metrics {
  const registry = new Registry();
  const requests = requestMeter(registry);
  const connections = connectionMeter(registry);
  const logins = loginMeter(registry);
  const setFleet = fleetMetrics(registry);
  const setWatching = watchMetrics(registry);
  const engine = engineMeter(registry);
  const transport = transportMeter(registry);
  const store = storeMetrics(registry);
  const events = eventMetrics(registry);
  const ownProcess = processMetrics(registry, build);

  const read = async (sources: MetricSources) => {
    const found = await within(systemClock, STORE_WITHIN_MS, () => readFleet(sources));
    store.setUp(found !== undefined);
    store.setPool(sources.store.poolUse?.());
    setFleet(found?.fleet);
    setWatching(found?.watching);
    events.set({ readers: sources.eventReaders(), position: sources.eventPosition() });
    ownProcess.read();
  };

  return {
    ...{ engine, transport, logins, store: store.meter, events: events.meter },
    certificateUsed: ownProcess.certificateUsed,
    stop: ownProcess.stop,
    over: sources => {
      let reading: Promise<void> | undefined;
      return {
        ...requests,
        connections,
        read: async form => {
          reading ??= read(sources).finally(() => {
            reading = undefined;
          });
          await reading;
          return form === 'openmetrics'
            ? openMetricsText(registry.families)
            : prometheusText(registry.families);
        },
      };
    },
  };
}
