import { HEALTH_CHECKER_STATES, WEBHOOK_STATES } from '../../domain/vocabulary.ts';
import { gauge, storeGauge } from './metric.ts';
import type { Registry } from './registry.ts';
import type { Snapshot } from './snapshot.ts';

export const HEALTH_METRICS = {
  state: gauge(
    'hostler_health_checker_state',
    'State of health checks on this server: 1 for the current state, otherwise 0.',
    { state: HEALTH_CHECKER_STATES },
  ),
  interval: gauge(
    'hostler_health_check_interval_seconds',
    'Interval between health checks of a host; 0 if this server does not connect to hosts.',
  ),
  lag: storeGauge(
    'hostler_health_check_lag_seconds',
    'Delay of the most overdue health check; 0 if this server does not connect to hosts.',
  ),
  checkedHosts: storeGauge(
    'hostler_health_checked_hosts',
    'Hosts with health checks; 0 if this server does not connect to hosts.',
  ),
  taskLag: storeGauge('hostler_task_lag_seconds', 'Longest time that a due task has waited for a server.'),
  webhooks: storeGauge('hostler_webhooks', 'Webhooks, by state.', { state: WEBHOOK_STATES }),
  longestFailing: storeGauge(
    'hostler_webhook_longest_failing_seconds',
    'Longest time that a webhook has been failing; 0 if no webhook is failing.',
  ),
};

/** Returns a function that sets all gauges, or clears them if it gets `undefined`. */
export function createHealthMetrics(registry: Registry): (health: Snapshot | undefined) => void {
  const gauges = registry.create(HEALTH_METRICS);
  return health => {
    for (const gauge of Object.values(gauges)) gauge.clear();
    if (health === undefined) return;
    const { nowMs, report, taskDueAtMs, webhooks } = health;
    const secondsSince = (ms: number | null) => Math.max(0, nowMs - (ms ?? nowMs)) / 1000;
    gauges.state.setActiveLabel(report.state, HEALTH_CHECKER_STATES);
    gauges.interval.set(report.intervalS);
    gauges.lag.set(report.lagS);
    gauges.checkedHosts.set(report.hosts);
    gauges.taskLag.set(secondsSince(taskDueAtMs));
    for (const state of WEBHOOK_STATES) gauges.webhooks.set(0, state);
    for (const { state } of webhooks) gauges.webhooks.add(1, state);
    gauges.longestFailing.set(Math.max(0, ...webhooks.map(({ failingSinceMs }) => secondsSince(failingSinceMs))));
  };
}
