import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import type { TraceContext } from '../lib/tracer.ts';
import { Semaphore } from '../lib/turns/semaphore.ts';
import { rootProblem, WHO_AM_I } from '../operations/root.ts';
import type { EnginePorts } from './ports.ts';
import { tracedTransport } from './traced-transport.ts';

const TIMEOUT_MS = 10_000;
/** Who comes when so many wait already would wait for too long. */
const MAX_WAITING = 100;
const TOO_MANY = new TransportFailure(
  'unreachable',
  'too many credential tests are running; try again later',
);

type TrialPorts = Pick<EnginePorts, 'transport' | 'tracer'> & {
  readonly settings: Pick<EnginePorts['settings'], 'connectTimeoutMs' | 'maxTrials'>;
};

export type TrialResult = { readonly hostKey: string } | TransportFailure;

/** Credentials that are tried for a request. They ask for no lease: nothing is changed on the host, and whoever asked waits. */
export class AccessTrials {
  readonly #ports: TrialPorts;
  readonly #turns: Semaphore;
  readonly #stopping = new AbortController();

  constructor(ports: TrialPorts) {
    this.#ports = ports;
    this.#turns = new Semaphore(ports.settings.maxTrials, MAX_WAITING);
  }

  /** Whether a host lets us in and lets us be root: answers the key that it shows, or why it does not. */
  async try(target: Target, trace?: TraceContext): Promise<TrialResult> {
    return (await this.#turns.tryRun(() => this.#try(target, trace))) ?? TOO_MANY;
  }

  /** Calls off what is under way. */
  stop(): void {
    this.#stopping.abort();
  }

  async #try(target: Target, trace: TraceContext | undefined): Promise<TrialResult> {
    const { tracer, settings } = this.#ports;
    const transport =
      tracer && trace
        ? tracedTransport(this.#ports.transport, call => tracer.start({ ...call, under: trace }))
        : this.#ports.transport;
    const { signal } = this.#stopping;
    const connection = await transport.connect(target, { timeoutMs: settings.connectTimeoutMs, signal });
    if (connection instanceof TransportFailure) return connection;
    try {
      const who = await connection.run(WHO_AM_I, { timeoutMs: TIMEOUT_MS, signal, asRoot: true });
      if (who instanceof TransportFailure) return who;
      const problem = rootProblem(who);
      if (problem === undefined) return { hostKey: connection.hostKey };
      return new TransportFailure('auth_rejected', `login succeeded, but ${problem}`);
    } finally {
      connection.close();
    }
  }
}
