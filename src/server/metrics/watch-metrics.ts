import type { WebhookFigure } from '../../domain/overview/figures.ts';
import { WATCH_STATES, WEBHOOK_STATES } from '../../domain/vocabulary.ts';
import type { WatchReport } from '../../domain/watch/watch-report.ts';
import { gauge, storeGauge } from './metric.ts';
import type { Registry } from './registry.ts';

export const WATCH_METRICS = {
  state: gauge('hostler_watch_state', 'How watching goes at this server: 1 for the state that it is in.', {
    state: WATCH_STATES,
  }),
  interval: gauge(
    'hostler_watch_interval_seconds',
    'How often this server has each host checked; 0 if it reaches none.',
  ),
  lag: storeGauge(
    'hostler_watch_lag_seconds',
    'How late the check is that is due the longest; 0 at a server that reaches no hosts.',
  ),
  watched: storeGauge(
    'hostler_watched_hosts',
    'Hosts that are watched; 0 at a server that reaches no hosts.',
  ),
  workLag: storeGauge(
    'hostler_work_lag_seconds',
    'How long the host whose work is due the longest has waited for a server.',
  ),
  webhooks: storeGauge('hostler_webhooks', 'Webhooks.', { state: WEBHOOK_STATES }),
  failing: storeGauge(
    'hostler_webhook_longest_failing_seconds',
    'How long the webhook that fails the longest has failed; 0 if none does.',
  ),
};

export interface Watching {
  readonly nowMs: number;
  readonly report: WatchReport;
  /** When the work is due that is due first and that no server has; null: there is none. */
  readonly workDueAtMs: number | null;
  readonly webhooks: readonly WebhookFigure[];
}

/** Answers what sets them all, and by `undefined` forgets them. */
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
    state.setOne(report.state, WATCH_STATES);
    interval.set(report.intervalS);
    lag.set(report.lagS);
    watched.set(report.hosts);
    workLag.set(secondsSince(workDueAtMs));
    for (const each of WEBHOOK_STATES) webhooks.set(0, each);
    for (const webhook of watching.webhooks) webhooks.add(1, webhook.state);
    failing.set(Math.max(0, ...watching.webhooks.map(({ failingSinceMs }) => secondsSince(failingSinceMs))));
  };
}
