// Metrics: what the service counts of itself, and how that is told. What must hold: each metric is declared once, in the row of a
// catalogue; the layers that count know nothing of this room, only a port in their own words; nothing that is told holds an address,
// an account or what a host said; and a scrape reads the store by a few queries, however many ask at once.

import type { TransportMeter } from '../../drivers/transport/measured-transport.ts';
import type { EngineMeter } from '../../engine/meter.ts';
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

/** Prometheus gives a scrape ten seconds, of which the login may take three. What is of the server is told in any case. */
const STORE_WITHIN_MS = 3000;

export interface Metrics extends Pick<ProcessMetrics, 'certificateUsed' | 'stop'> {
  readonly engine: EngineMeter;
  readonly events: EventMeter;
  readonly logins: LoginMeter;
  readonly store: StoreMeter;
  readonly transport: TransportMeter;
  /** What the server of requests has of it, once there is something to read from. */
  over(sources: MetricSources): HttpMetrics;
}

/** Begins to count. */
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
