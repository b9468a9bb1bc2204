import type { TransportFailureKind } from '../../domain/transport-failure.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { stopwatch } from '../../lib/time/clock.ts';
import type { Connection, Transport } from './transport.ts';

/** Uses the transport of the target, or the default. */
export const dispatchTransport = (transports: Readonly<Record<string, Transport>>, defaultType: string): Transport => ({
  async connect(target, limits) {
    const type = target.transport || defaultType;
    // A record can be from another version of the server and name an unknown transport.
    const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
    return (
      transport?.connect(target, limits) ??
      new TransportFailure('unreachable', `this server does not have the transport ${type}`)
    );
  },
});

export interface TransportMetrics {
  connected(transport: string, result: 'ok' | TransportFailureKind, seconds: number): void;
  disconnected(transport: string): void;
  /** `nonzero`: the command exited with a nonzero code. */
  commandEnded(transport: string, result: 'ok' | 'nonzero' | TransportFailureKind, seconds: number): void;
}

function measureConnection(type: string, connection: Connection, metrics: TransportMetrics): Connection {
  let isOpen = true;
  return {
    hostKey: connection.hostKey,
    run: async (argv, options) => {
      const seconds = stopwatch();
      const result = await connection.run(argv, options);
      const outcome = result instanceof TransportFailure ? result.kind : result.exitCode === 0 ? 'ok' : 'nonzero';
      metrics.commandEnded(type, outcome, seconds());
      return result;
    },
    close: () => {
      if (isOpen) metrics.disconnected(type);
      isOpen = false;
      connection.close();
    },
  };
}

export const measureTransport = (type: string, transport: Transport, metrics: TransportMetrics): Transport => ({
  connect: async (target, limits) => {
    const seconds = stopwatch();
    const result = await transport.connect(target, limits);
    const isFailure = result instanceof TransportFailure;
    metrics.connected(type, isFailure ? result.kind : 'ok', seconds());
    return isFailure ? result : measureConnection(type, result, metrics);
  },
});
