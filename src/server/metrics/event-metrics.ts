import type { EventMeter } from '../../events/meter.ts';
import { DELIVERY_RESULTS } from '../../events/meter.ts';
import { counter, gauge, histogram, SHORT_S } from './metric.ts';
import type { Registry } from './registry.ts';

export const EVENT_METRICS = {
  readers: gauge('hostler_event_readers', 'Those who follow events at this server now.'),
  readersCut: counter(
    'hostler_event_readers_cut_total',
    'Those who followed events and were cut off, since they read too slowly or asked for what is no longer kept.',
  ),
  position: gauge(
    'hostler_event_position',
    'The number of the newest event that this server knows of; compare it with `hostler_log_position`.',
  ),
  logTampered: gauge(
    'hostler_log_tampered',
    'Whether the oldest entries of the audit log are not what was written: 1 if so. They are kept, however old they are.',
  ),
  deliveries: counter('hostler_webhook_deliveries_total', 'Messages to webhooks, by what came of them.', {
    result: DELIVERY_RESULTS,
  }),
  deliveryDuration: histogram(
    'hostler_webhook_delivery_duration_seconds',
    'How long messages to webhooks took, whatever came of them.',
    SHORT_S,
  ),
};

export interface EventMetrics {
  readonly meter: EventMeter;
  set(now: { readonly readers: number; readonly position: number }): void;
}

export function eventMetrics(registry: Registry): EventMetrics {
  const readers = registry.gauge(EVENT_METRICS.readers);
  const readersCut = registry.counter(EVENT_METRICS.readersCut);
  const position = registry.gauge(EVENT_METRICS.position);
  const logTampered = registry.gauge(EVENT_METRICS.logTampered);
  // Nothing is verified until entries are old enough to be removed.
  logTampered.set(0);
  const deliveries = registry.counter(EVENT_METRICS.deliveries);
  const deliveryDuration = registry.histogram(EVENT_METRICS.deliveryDuration);
  return {
    meter: {
      readerCut: () => readersCut.add(1),
      logVerified: isIntact => logTampered.set(isIntact ? 0 : 1),
      webhookSent: (result, seconds) => {
        deliveries.add(1, result);
        deliveryDuration.observe(seconds);
      },
    },
    set: now => {
      readers.set(now.readers);
      position.set(now.position);
    },
  };
}
