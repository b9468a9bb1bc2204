import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import { rootProblem, WHO_AM_I } from '../operations/root.ts';
import type { EnginePorts } from './ports.ts';

const TIMEOUT_MS = 10_000;

/** Whether a host lets us in and lets us be root: answers the key that it shows, or why it does not. */
export async function tryAccess(
  { transport, settings }: Pick<EnginePorts, 'transport' | 'settings'>,
  target: Target,
): Promise<{ readonly hostKey: string } | TransportFailure> {
  const { signal } = new AbortController();
  const connection = await transport.connect(target, { timeoutMs: settings.connectTimeoutMs, signal });
  if (connection instanceof TransportFailure) return connection;
  try {
    const who = await connection.run(WHO_AM_I, { timeoutMs: TIMEOUT_MS, signal, asRoot: true });
    if (who instanceof TransportFailure) return who;
    const problem = rootProblem(who);
    if (problem === undefined) return { hostKey: connection.hostKey };
    return new TransportFailure('auth_rejected', `it lets us in, but ${problem}`);
  } finally {
    connection.close();
  }
}
