import type { FastifyInstance } from 'fastify';
import { errorCodeOrMessage, OperatorError, PermanentError } from '../../lib/errors.ts';
import { formatHostPort } from '../../lib/text.ts';
import type { ListenAddress } from '../configuration/setting.ts';
import type { Config } from '../configuration/settings.ts';

/** What stays until the setting is another, or the machine. */
const PERMANENT_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; use a port above 1023 (--listen)',
  EADDRNOTAVAIL: 'this machine does not have this address; change --listen',
  EAFNOSUPPORT: 'this machine does not support addresses of this family; change --listen',
  ENOTFOUND: 'the name does not exist; change --listen',
};

/** What may be gone a moment later. */
const TRANSIENT_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is already in use; stop the other program, or change --listen',
  EAI_AGAIN: 'the name cannot be resolved at the moment; use an IP address (--listen), or try again',
};

/** Why nobody can listen there, and what to do. */
export function toListenError(error: unknown, { host, port }: ListenAddress): OperatorError {
  const reason = errorCodeOrMessage(error);
  const address = formatHostPort(host, port);
  const permanentError = PERMANENT_ERRORS[reason];
  if (permanentError !== undefined) return new PermanentError(`${address}: ${permanentError}`);
  return new OperatorError(
    `${address}: ${TRANSIENT_ERRORS[reason] ?? `cannot listen (${reason}); change --listen`}`,
  );
}

/** Whoever sent the signal waits ten seconds; nothing of a request that is cut off was answered. */
const DRAIN_TIMEOUT_MS = 7000;

/** Answers where it listens. */
export async function listen(
  server: FastifyInstance,
  { listen: listenAddress, tls_cert }: Config,
): Promise<string> {
  const { host, port } = listenAddress;
  const scheme = tls_cert === undefined ? 'http' : 'https';
  // Fastify does not know that its server speaks TLS.
  const listenTextResolver = (address: string) => `server listening at ${address.replace(/^https?/, scheme)}`;
  try {
    await server.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw toListenError(error, listenAddress);
  }
  const address = server.server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return `${scheme}://${formatHostPort(host, boundPort)}`;
}

/** Takes no new requests and finishes those that have arrived; what is still under way at the limit is cut off. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await server.close();
  clearTimeout(timer);
}
