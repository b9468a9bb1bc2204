import type { ConnectionMeter } from '../../http/connections/limit-connections.ts';
import { CONNECTION_LIMITS } from '../../http/connections/limit-connections.ts';
import { counter, gauge } from './metric.ts';
import type { Registry } from './registry.ts';

export const CONNECTION_METRICS = {
  open: gauge('hostler_http_connections', 'Open client connections.'),
  refused: counter(
    'hostler_http_connections_rejected_total',
    'Client connections that the server closed immediately because a limit was reached: `total` for all clients together, `client` for one client.',
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
