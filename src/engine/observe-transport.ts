import type { Argv, CommandResult } from '../domain/command.ts';
import { executableName } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Connection, Target, Transport } from '../drivers/transport/transport.ts';
import type { Span, SpanEnd, SpanStart } from '../lib/tracer.ts';
import { withSpan } from '../lib/tracer.ts';
import type { EnginePorts } from './ports.ts';

interface TransportObserver {
  connect<Result extends Connection | TransportFailure>(target: Target, call: () => Promise<Result>): Promise<Result>;
  run<Result extends CommandResult | TransportFailure>(
    target: Target,
    argv: Argv,
    call: () => Promise<Result>,
  ): Promise<Result>;
  /** Called once per connection. */
  closed?(): void;
}

export const observeTransport = (transport: Transport, observer: TransportObserver): Transport => ({
  async connect(target, limits) {
    const connection = await observer.connect(target, () => transport.connect(target, limits));
    if (connection instanceof TransportFailure) return connection;
    let isOpen = true;
    return {
      hostKey: connection.hostKey,
      run: (argv, options) => observer.run(target, argv, () => connection.run(argv, options)),
      close() {
        if (isOpen) observer.closed?.();
        isOpen = false;
        connection.close();
      },
    };
  },
});

export type LogFields = Readonly<Record<string, string | number>>;

const describeResult = (result: Connection | CommandResult | TransportFailure): LogFields => {
  if (result instanceof TransportFailure) return { result: result.kind };
  return 'exitCode' in result ? { result: 'ended', exitCode: result.exitCode } : { result: 'connected' };
};

/** Logs the name of the program without its arguments, because they contain whole scripts. */
export function logTransport(
  transport: Transport,
  { log, clock }: Pick<EnginePorts, 'log' | 'clock'>,
  getFields: () => LogFields,
): Transport {
  async function logged<Result extends Connection | CommandResult | TransportFailure>(
    message: string,
    fields: LogFields,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const startedMs = clock.monotonicMs();
    const result = await call();
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    log.debug({ ...getFields(), ...fields, durationMs, ...describeResult(result) }, message);
    return result;
  }
  return observeTransport(transport, {
    connect: (_target, call) => logged('connect', {}, call),
    run: (_target, argv, call) => logged('command', { command: executableName(argv) }, call),
  });
}

function toSpanEnd(result: Connection | CommandResult | TransportFailure): SpanEnd {
  if (result instanceof TransportFailure) return { errorType: result.kind };
  return 'exitCode' in result ? { attributes: { 'process.exit.code': result.exitCode } } : {};
}

const serverAttributes = ({ address, port }: Target) => ({ 'server.address': address, 'server.port': port });

export const traceTransport = (transport: Transport, start: (span: Omit<SpanStart, 'parent'>) => Span): Transport =>
  observeTransport(transport, {
    connect: (target, call) =>
      withSpan(start({ name: 'connect', kind: 'client', attributes: serverAttributes(target) }), call, toSpanEnd),
    run(target, argv, call) {
      const program = executableName(argv);
      const attributes = { ...serverAttributes(target), 'process.executable.name': program };
      return withSpan(start({ name: `run ${program}`, kind: 'client', attributes }), call, toSpanEnd);
    },
  });
