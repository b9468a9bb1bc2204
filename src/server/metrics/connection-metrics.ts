import type { ConnectionMeter } from '../../http/connections/limit-connections.ts';
import { CONNECTION_LIMITS } from '../../http/connections/limit-connections.ts';
import { counter, gauge } from './metric.ts';
import type { Registry } from './registry.ts';

export const CONNECTION_METRICS = {
  open: gauge('hostler_http_connections', 'Connections of clients that are open now.'),
  refused: counter(
    'hostler_http_connections_refused_total',
    'Connections that were closed at once, since too many were open of all callers together, or of one.',
    { limit: CONNECTION_LIMITS },
  ),
};

export function connectionMeter(registry: Registry): ConnectionMeter {
  const open = registry.gauge(CONNECTION_METRICS.open);
  const refused = registry.counter(CONNECTION_METRICS.refused);
  open.set(0);
  for (const limit of CONNECTION_LIMITS) refused.add(0, limit);
  return {
    opened: () => open.add(1),
    closed: () => open.add(-1),
    refused: limit => refused.add(1, limit),
  };
}
