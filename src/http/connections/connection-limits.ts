import type { DropArgument, Server, Socket } from 'node:net';
import { rateLimitKey } from '../../domain/addresses/address.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';

export interface ConnectionLimits {
  readonly max: number;
  /** Behind a proxy all clients share its address, so the limit per client does not apply. */
  readonly isBehindProxy: boolean;
}

/** Which limit a rejected connection exceeds: `total` for all clients together, `client` for one client. */
export const CONNECTION_LIMITS = ['total', 'client'] as const;

export interface ConnectionMetrics {
  opened(): void;
  closed(): void;
  rejected(limit: (typeof CONNECTION_LIMITS)[number], address: string): void;
}

/**
 * Clients must not use all file descriptors, which connections to hosts and to the store also need, and one client must
 * not block the others. A rejected connection gets no response, because a TLS handshake may come first.
 */
export function limitConnections(
  server: Server,
  { max, isBehindProxy }: ConnectionLimits,
  metrics: ConnectionMetrics,
): void {
  server.maxConnections = max;
  server.on('drop', (dropped?: DropArgument) => metrics.rejected('total', dropped?.remoteAddress ?? ''));
  const maxPerClient = isBehindProxy ? Number.POSITIVE_INFINITY : Math.ceil(max / 2);
  const openCounts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const clientKey = rateLimitKey(remoteAddress);
    const count = (openCounts.get(clientKey) ?? 0) + 1;
    if (count > maxPerClient) {
      metrics.rejected('client', remoteAddress);
      socket.destroy();
      return;
    }
    openCounts.set(clientKey, count);
    metrics.opened();
    socket.once('close', () => {
      const remaining = (openCounts.get(clientKey) ?? 1) - 1;
      if (remaining === 0) openCounts.delete(clientKey);
      else openCounts.set(clientKey, remaining);
      metrics.closed();
    });
  });
}

const LOG_INTERVAL_MS = 60_000;

/** Adds a warning for rejected connections, at most one per minute. */
export function logRejectedConnections(metrics: ConnectionMetrics, log: Log, clock: Clock): ConnectionMetrics {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let rejectedCount = 0;
  return {
    ...metrics,
    rejected: (limit, address) => {
      metrics.rejected(limit, address);
      rejectedCount += 1;
      if (clock.monotonicMs() - loggedAtMs < LOG_INTERVAL_MS) return;
      loggedAtMs = clock.monotonicMs();
      log.warn({ limit, address, rejected: rejectedCount }, 'connections rejected: limit_http_connections is reached');
      rejectedCount = 0;
    },
  };
}
