import type { TransportFailureKind } from '../../domain/transport-failure.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { stopwatch } from '../../lib/time/clock.ts';
import type { Connection, Transport } from './transport.ts';

/** Reaches each host by the transport that it asks for, or else by the standard one. */
export const dispatchTransport = (
  transports: Readonly<Record<string, Transport>>,
  defaultType: string,
): Transport => ({
  async connect(target, limits) {
    const type = target.transport || defaultType;
    // A record may be older than this version of the service, or younger.
    const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
    return (
      transport?.connect(target, limits) ??
      new TransportFailure('unreachable', `this server does not have the transport ${type}`)
    );
  },
});

/** Who counts how hosts are reached. */
export interface TransportMetrics {
  connected(transport: string, result: 'ok' | TransportFailureKind, seconds: number): void;
  disconnected(transport: string): void;
  /** `nonzero`: the command itself says that it did not succeed. */
  commandEnded(transport: string, result: 'ok' | 'nonzero' | TransportFailureKind, seconds: number): void;
}

function measureConnection(type: string, connection: Connection, metrics: TransportMetrics): Connection {
  let isOpen = true;
  return {
    hostKey: connection.hostKey,
    run: async (argv, options) => {
      const seconds = stopwatch();
      const result = await connection.run(argv, options);
      const outcome =
        result instanceof TransportFailure ? result.kind : result.exitCode === 0 ? 'ok' : 'nonzero';
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

/** The same transport, whose connections and commands are counted under its type. */
export const measureTransport = (
  type: string,
  transport: Transport,
  metrics: TransportMetrics,
): Transport => ({
  connect: async (target, limits) => {
    const seconds = stopwatch();
    const result = await transport.connect(target, limits);
    const isFailure = result instanceof TransportFailure;
    metrics.connected(type, isFailure ? result.kind : 'ok', seconds());
    return isFailure ? result : measureConnection(type, result, metrics);
  },
});
