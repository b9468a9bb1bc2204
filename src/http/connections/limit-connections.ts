import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  readonly most: number;
  /** Whether all callers may come from one address, which is that of a proxy. */
  readonly isBehindProxy: boolean;
}

/**
 * Each connection takes a file of the process, and so do those to hosts and to the store: whoever opens them without end must not take
 * the last one. Nor may one address take the place of all others.
 */
export function limitConnections(server: Server, { most, isBehindProxy }: ConnectionLimits): void {
  server.maxConnections = most;
  if (isBehindProxy) return;
  const mostOfOne = Math.ceil(most / 2);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const count = (open.get(remoteAddress) ?? 0) + 1;
    open.set(remoteAddress, count);
    socket.once('close', () => {
      const left = (open.get(remoteAddress) ?? 1) - 1;
      if (left === 0) open.delete(remoteAddress);
      else open.set(remoteAddress, left);
    });
    if (count > mostOfOne) socket.destroy();
  });
}
