import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import { Semaphore } from '../lib/concurrency.ts';
import type { TraceContext } from '../lib/tracer.ts';
import { checkRoot, UID_COMMAND } from '../procedures/query-host.ts';
import { traceTransport } from './observe-transport.ts';
import type { EnginePorts } from './ports.ts';

const TIMEOUT_MS = 10_000;
const MAX_QUEUED = 100;
const QUEUE_FULL = new TransportFailure('unreachable', 'too many credential tests are running; try again later');

type CredentialTestPorts = Pick<EnginePorts, 'transport' | 'tracer'> & {
  readonly settings: Pick<EnginePorts['settings'], 'connectTimeoutMs' | 'maxCredentialTests'>;
};

export type CredentialTestResult = { readonly hostKey: string } | TransportFailure;

/** Needs no lease: it changes nothing on the host, and a client waits for the result. */
export class CredentialTester {
  readonly #ports: CredentialTestPorts;
  readonly #semaphore: Semaphore;
  readonly #stopping = new AbortController();

  constructor(ports: CredentialTestPorts) {
    this.#ports = ports;
    this.#semaphore = new Semaphore(ports.settings.maxCredentialTests, MAX_QUEUED);
  }

  async test(target: Target, trace?: TraceContext): Promise<CredentialTestResult> {
    return (await this.#semaphore.tryRun(() => this.#test(target, trace))) ?? QUEUE_FULL;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #test(target: Target, trace: TraceContext | undefined): Promise<CredentialTestResult> {
    const { tracer, settings } = this.#ports;
    const transport =
      tracer && trace
        ? traceTransport(this.#ports.transport, span => tracer.start({ ...span, parent: trace }))
        : this.#ports.transport;
    const { signal } = this.#stopping;
    const connection = await transport.connect(target, { timeoutMs: settings.connectTimeoutMs, signal });
    if (connection instanceof TransportFailure) return connection;
    try {
      const result = await connection.run(UID_COMMAND, { timeoutMs: TIMEOUT_MS, signal, asRoot: true });
      if (result instanceof TransportFailure) return result;
      const problem = checkRoot(result);
      if (problem === undefined) return { hostKey: connection.hostKey };
      return new TransportFailure('auth_rejected', `login succeeded, but ${problem}`);
    } finally {
      connection.close();
    }
  }
}
