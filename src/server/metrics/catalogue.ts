import { CONNECTION_METRICS } from './connection-metrics.ts';
import { ENGINE_METRICS } from './engine-metrics.ts';
import { EVENT_METRICS } from './event-metrics.ts';
import { FLEET_METRICS } from './fleet-metrics.ts';
import { LOGIN_METRICS } from './login-metrics.ts';
import type { Metric } from './metric.ts';
import { PROCESS_METRICS } from './process-metrics.ts';
import { REQUEST_METRICS } from './request-metrics.ts';
import { STORE_METRICS } from './store-metrics.ts';
import { TRANSPORT_METRICS } from './transport-metrics.ts';
import { WATCH_METRICS } from './watch-metrics.ts';

/** Every metric, by topic. The keys are headings in docs/reference/metrics.md. */
export const CATALOGUE: Readonly<Record<string, readonly Metric[]>> = {
  'Requests and connections': [...Object.values(REQUEST_METRICS), ...Object.values(CONNECTION_METRICS)],
  Logins: Object.values(LOGIN_METRICS),
  'Hosts, clusters and operations': Object.values(FLEET_METRICS),
  'Health check status and webhooks': Object.values(WATCH_METRICS),
  'Tasks and health checks': Object.values(ENGINE_METRICS),
  SSH: Object.values(TRANSPORT_METRICS),
  Store: Object.values(STORE_METRICS),
  Events: Object.values(EVENT_METRICS),
  Process: Object.values(PROCESS_METRICS),
};
