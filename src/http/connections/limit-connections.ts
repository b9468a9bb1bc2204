import type { DropArgument, Server, Socket } from 'node:net';
import { rateLimitKey } from '../../domain/addresses/address.ts';

export interface ConnectionLimits {
  readonly most: number;
  /** Whether all callers may come from one address, which is that of a proxy. */
  readonly isBehindProxy: boolean;
}

/** Which limit a rejected connection exceeds: `total` for all clients together, `client` for one client. */
export const CONNECTION_LIMITS = ['total', 'client'] as const;

/** Is told of every connection. */
export interface ConnectionMeter {
  opened(): void;
  closed(): void;
  refused(limit: (typeof CONNECTION_LIMITS)[number], address: string): void;
}

/**
 * Each connection takes a file of the process, and so do those to hosts and to the store: whoever opens them without end must not take
 * the last one. Nor may one caller take the place of all others. Who is refused gets no answer, since there may be TLS to come first.
 */
export function limitConnections(
  server: Server,
  { most, isBehindProxy }: ConnectionLimits,
  meter: ConnectionMeter,
): void {
  server.maxConnections = most;
  server.on('drop', (dropped?: DropArgument) => meter.refused('total', dropped?.remoteAddress ?? ''));
  const mostOfOne = isBehindProxy ? Number.POSITIVE_INFINITY : Math.ceil(most / 2);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const caller = rateLimitKey(remoteAddress);
    const count = (open.get(caller) ?? 0) + 1;
    if (count > mostOfOne) {
      meter.refused('client', remoteAddress);
      socket.destroy();
      return;
    }
    open.set(caller, count);
    meter.opened();
    socket.once('close', () => {
      const left = (open.get(caller) ?? 1) - 1;
      if (left === 0) open.delete(caller);
      else open.set(caller, left);
      meter.closed();
    });
  });
}
