import type { CommandResult } from '../domain/command.ts';
import { executableName } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { Span, SpanEnd, SpanStart } from '../lib/tracer.ts';
import { withSpan } from '../lib/tracer.ts';

export type StartChildSpan = (span: Omit<SpanStart, 'parent'>) => Span;

const toFailureEnd = (result: unknown): SpanEnd =>
  result instanceof TransportFailure ? { errorType: result.kind } : {};

const toCommandEnd = (result: CommandResult | TransportFailure): SpanEnd =>
  result instanceof TransportFailure ? toFailureEnd(result) : { attributes: { 'process.exit.code': result.exitCode } };

export const traceTransport = (transport: Transport, start: StartChildSpan): Transport => ({
  connect: async (target, limits) => {
    const serverAttributes = { 'server.address': target.address, 'server.port': target.port };
    const connectSpan = start({ name: 'connect', kind: 'client', attributes: serverAttributes });
    const connection = await withSpan(connectSpan, () => transport.connect(target, limits), toFailureEnd);
    if (connection instanceof TransportFailure) return connection;
    return {
      hostKey: connection.hostKey,
      run: (argv, options) => {
        const program = executableName(argv);
        const attributes = { ...serverAttributes, 'process.executable.name': program };
        const commandSpan = start({ name: `run ${program}`, kind: 'client', attributes });
        return withSpan(commandSpan, () => connection.run(argv, options), toCommandEnd);
      },
      close: () => connection.close(),
    };
  },
});
