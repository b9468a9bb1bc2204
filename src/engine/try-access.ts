import { TransportFailure } from '../domain/transport-failure.ts';
import type { Target } from '../drivers/transport/transport.ts';
import type { EnginePorts } from './ports.ts';

const TIMEOUT_MS = 10_000;

/** Whether a host lets us in and runs what we ask; `undefined` if it does. */
export async function tryAccess(
  { transport, settings }: Pick<EnginePorts, 'transport' | 'settings'>,
  target: Target,
): Promise<TransportFailure | undefined> {
  const { signal } = new AbortController();
  const connection = await transport.connect(target, { timeoutMs: settings.connectTimeoutMs, signal });
  if (connection instanceof TransportFailure) return connection;
  try {
    const ran = await connection.run(['true'], { timeoutMs: TIMEOUT_MS, signal });
    if (ran instanceof TransportFailure) return ran;
    if (ran.exitCode === 0) return undefined;
    return new TransportFailure('auth_rejected', 'it lets us in, but runs no commands for this user');
  } finally {
    connection.close();
  }
}
