import type { CommandResult } from '../domain/command.ts';
import { executableName } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Connection, Transport } from '../drivers/transport/transport.ts';
import type { EnginePorts } from './ports.ts';

/** Identify the task or check for which a command runs. */
export type LogFields = Readonly<Record<string, string | number>>;

const describeResult = (result: Connection | CommandResult | TransportFailure): LogFields => {
  if (result instanceof TransportFailure) return { result: result.kind };
  return 'exitCode' in result ? { result: 'ended', exitCode: result.exitCode } : { result: 'connected' };
};

/**
 * Logs each connection and each command at level debug. It logs the name of the program, not its arguments,
 * because they contain whole scripts.
 */
export function logTransport(
  transport: Transport,
  { log, clock }: Pick<EnginePorts, 'log' | 'clock'>,
  getFields: () => LogFields,
): Transport {
  async function logged<T extends Connection | CommandResult | TransportFailure>(
    message: string,
    fields: LogFields,
    run: () => Promise<T>,
  ): Promise<T> {
    const startedMs = clock.monotonicMs();
    const result = await run();
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    log.debug({ ...getFields(), ...fields, durationMs, ...describeResult(result) }, message);
    return result;
  }
  return {
    connect: async (target, limits) => {
      const connection = await logged('connect', {}, () => transport.connect(target, limits));
      if (connection instanceof TransportFailure) return connection;
      return {
        hostKey: connection.hostKey,
        run: (argv, options) =>
          logged('command', { command: executableName(argv) }, () => connection.run(argv, options)),
        close: () => connection.close(),
      };
    },
  };
}
