import type { FailureKind } from '../../domain/transport-failure.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { stopwatch } from '../../lib/time/stopwatch.ts';
import type { Connection, Transport } from './transport.ts';

/** Who counts how hosts are reached. */
export interface TransportMeter {
  connected(transport: string, result: 'ok' | FailureKind, seconds: number): void;
  disconnected(transport: string): void;
  /** `nonzero`: the command itself says that it did not succeed. */
  commandEnded(transport: string, result: 'ok' | 'nonzero' | FailureKind, seconds: number): void;
}

function measuredConnection(type: string, connection: Connection, meter: TransportMeter): Connection {
  let isOpen = true;
  return {
    hostKey: connection.hostKey,
    run: async (argv, options) => {
      const seconds = stopwatch();
      const ran = await connection.run(argv, options);
      const how = ran instanceof TransportFailure ? ran.kind : ran.exitCode === 0 ? 'ok' : 'nonzero';
      meter.commandEnded(type, how, seconds());
      return ran;
    },
    close: () => {
      if (isOpen) meter.disconnected(type);
      isOpen = false;
      connection.close();
    },
  };
}

/** The same transport, whose connections and commands are counted under its type. */
export const measuredTransport = (type: string, transport: Transport, meter: TransportMeter): Transport => ({
  connect: async (target, limits) => {
    const seconds = stopwatch();
    const answer = await transport.connect(target, limits);
    const isFailure = answer instanceof TransportFailure;
    meter.connected(type, isFailure ? answer.kind : 'ok', seconds());
    return isFailure ? answer : measuredConnection(type, answer, meter);
  },
});
