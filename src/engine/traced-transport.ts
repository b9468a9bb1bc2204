import type { Ran } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { Span, SpanEnd, SpanStart } from '../lib/tracer.ts';
import { spanning } from '../lib/tracer.ts';
import { programOf } from '../operations/program-of.ts';

/** Starts a span under whatever is being done. */
export type StartSpan = (span: Omit<SpanStart, 'under'>) => Span;

const failureOf = (answer: unknown): SpanEnd =>
  answer instanceof TransportFailure ? { problem: answer.kind } : {};

const endOf = (ran: Ran | TransportFailure): SpanEnd =>
  ran instanceof TransportFailure ? failureOf(ran) : { attributes: { 'process.exit.code': ran.exitCode } };

/** The same transport, with a span for each connection that is made, and one for each command. */
export const tracedTransport = (transport: Transport, start: StartSpan): Transport => ({
  connect: async (target, limits) => {
    const at = { 'server.address': target.address, 'server.port': target.port };
    const connecting = start({ name: 'connect', kind: 'client', attributes: at });
    const opened = await spanning(connecting, () => transport.connect(target, limits), failureOf);
    if (opened instanceof TransportFailure) return opened;
    return {
      hostKey: opened.hostKey,
      run: (argv, options) => {
        const program = programOf(argv);
        const attributes = { ...at, 'process.executable.name': program };
        const running = start({ name: `run ${program}`, kind: 'client', attributes });
        return spanning(running, () => opened.run(argv, options), endOf);
      },
      close: () => opened.close(),
    };
  },
});
