import type { WebhookStats } from '../../domain/fleet-stats.ts';
import type { HealthReport } from '../../domain/health-check.ts';
import { HEALTH_CHECKER_STATES, WEBHOOK_STATES } from '../../domain/vocabulary.ts';
import { gauge, storeGauge } from './metric.ts';
import type { Registry } from './registry.ts';

export const WATCH_METRICS = {
  state: gauge(
    'hostler_health_checker_state',
    'State of health checks on this server: 1 for the current state, otherwise 0.',
    {
      state: HEALTH_CHECKER_STATES,
    },
  ),
  interval: gauge(
    'hostler_health_check_interval_seconds',
    'Interval between health checks of a host; 0 if this server does not connect to hosts.',
  ),
  lag: storeGauge(
    'hostler_health_check_lag_seconds',
    'Delay of the most overdue health check; 0 if this server does not connect to hosts.',
  ),
  watched: storeGauge(
    'hostler_health_checked_hosts',
    'Hosts with health checks; 0 if this server does not connect to hosts.',
  ),
  workLag: storeGauge('hostler_task_lag_seconds', 'Longest time that a due task has waited for a server.'),
  webhooks: storeGauge('hostler_webhooks', 'Webhooks, by state.', { state: WEBHOOK_STATES }),
  failing: storeGauge(
    'hostler_webhook_longest_failing_seconds',
    'Longest time that a webhook has been failing; 0 if no webhook is failing.',
  ),
};

export interface Watching {
  readonly nowMs: number;
  readonly report: HealthReport;
  /** When the earliest unclaimed task is due; null: no such task. */
  readonly workDueAtMs: number | null;
  readonly webhooks: readonly WebhookStats[];
}

/** Returns a function that sets all gauges, or clears them if it gets `undefined`. */
export function watchMetrics(registry: Registry): (watching: Watching | undefined) => void {
  const state = registry.gauge(WATCH_METRICS.state);
  const interval = registry.gauge(WATCH_METRICS.interval);
  const lag = registry.gauge(WATCH_METRICS.lag);
  const watched = registry.gauge(WATCH_METRICS.watched);
  const workLag = registry.gauge(WATCH_METRICS.workLag);
  const webhooks = registry.gauge(WATCH_METRICS.webhooks);
  const failing = registry.gauge(WATCH_METRICS.failing);
  return watching => {
    for (const each of [state, interval, lag, watched, workLag, webhooks, failing]) each.clear();
    if (watching === undefined) return;
    const { nowMs, report, workDueAtMs } = watching;
    const secondsSince = (ms: number | null) => Math.max(0, nowMs - (ms ?? nowMs)) / 1000;
    state.setOne(report.state, HEALTH_CHECKER_STATES);
    interval.set(report.intervalS);
    lag.set(report.lagS);
    watched.set(report.hosts);
    workLag.set(secondsSince(workDueAtMs));
    for (const each of WEBHOOK_STATES) webhooks.set(0, each);
    for (const webhook of watching.webhooks) webhooks.add(1, webhook.state);
    failing.set(Math.max(0, ...watching.webhooks.map(({ failingSinceMs }) => secondsSince(failingSinceMs))));
  };
}
