import type { EventMetrics } from '../../events/ports.ts';
import { DELIVERY_RESULTS } from '../../events/ports.ts';
import { counter, gauge, histogram, SHORT_BUCKETS } from './metric.ts';
import type { Registry } from './registry.ts';

export const EVENT_METRICS = {
  subscribers: gauge('hostler_event_subscribers', 'Open event streams on this server.'),
  subscribersDropped: counter(
    'hostler_event_subscribers_dropped_total',
    'Event streams that this server closed because the client read too slowly or its position was no longer in the event log.',
  ),
  position: gauge(
    'hostler_event_tail_position',
    'ID of the newest event that this server knows. Compare it with `hostler_log_position`.',
  ),
  logTampered: gauge(
    'hostler_log_tampered',
    'Whether the oldest entries of the event log were changed after they were written: 1 if so, otherwise 0. The server does not prune such entries.',
  ),
  deliveries: counter('hostler_webhook_deliveries_total', 'Webhook delivery attempts, by result.', {
    result: DELIVERY_RESULTS,
  }),
  deliveryDuration: histogram(
    'hostler_webhook_delivery_duration_seconds',
    'Duration of webhook delivery attempts, with any result.',
    SHORT_BUCKETS,
  ),
};

export function createEventMetrics(registry: Registry) {
  const instruments = registry.create(EVENT_METRICS);
  // Entries are verified only when they are old enough to be pruned.
  instruments.logTampered.set(0);
  const metrics: EventMetrics = {
    subscriberDisconnected: () => instruments.subscribersDropped.add(1),
    logVerified: isIntact => instruments.logTampered.set(isIntact ? 0 : 1),
    webhookSent: (result, seconds) => {
      instruments.deliveries.add(1, result);
      instruments.deliveryDuration.observe(seconds);
    },
  };
  const { subscribers, position } = instruments;
  return { metrics, subscribers, position };
}
