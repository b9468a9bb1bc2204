import type { FastifyInstance } from 'fastify';
import { errorCodeOrMessage, OperatorError, PermanentError } from '../../lib/errors.ts';
import { formatHostPort } from '../../lib/text.ts';
import type { ListenAddress } from '../configuration/setting.ts';
import type { Config } from '../configuration/settings.ts';

/** Errors that persist until the setting or the machine changes. */
const PERMANENT_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; use a port above 1023 (--listen)',
  EADDRNOTAVAIL: 'this machine does not have this address; change --listen',
  EAFNOSUPPORT: 'this machine does not support addresses of this family; change --listen',
  ENOTFOUND: 'the name does not exist; change --listen',
};

const TRANSIENT_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is already in use; stop the other program, or change --listen',
  EAI_AGAIN: 'the name cannot be resolved at the moment; use an IP address (--listen), or try again',
};

export function toListenError(error: unknown, { host, port }: ListenAddress): OperatorError {
  const reason = errorCodeOrMessage(error);
  const address = formatHostPort(host, port);
  const permanentError = PERMANENT_ERRORS[reason];
  if (permanentError !== undefined) return new PermanentError(`${address}: ${permanentError}`);
  return new OperatorError(`${address}: ${TRANSIENT_ERRORS[reason] ?? `cannot listen (${reason}); change --listen`}`);
}

/** Less than SHUTDOWN_TIMEOUT_MS. A request that is cut off has received no response. */
const DRAIN_TIMEOUT_MS = 7000;

export async function listen(server: FastifyInstance, { listen: listenAddress, tls_cert }: Config): Promise<string> {
  const { host, port } = listenAddress;
  const scheme = tls_cert === undefined ? 'http' : 'https';
  // Fastify does not know that its server uses TLS.
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

/** Finishes pending requests. Closes the remaining connections after DRAIN_TIMEOUT_MS. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await server.close();
  clearTimeout(timer);
}
