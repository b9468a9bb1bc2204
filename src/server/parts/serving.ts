import type { FastifyInstance } from 'fastify';
import { hostAndPort } from '../../lib/text/host-and-port.ts';
import type { Config } from '../configuration/settings.ts';
import { listenProblem } from './listen-problem.ts';

/** Whoever sent the signal waits ten seconds; nothing of a request that is cut off was answered. */
const FINISH_WITHIN_MS = 7000;

/** Answers where it listens. */
export async function listen(server: FastifyInstance, { listen: wanted, tls_cert }: Config): Promise<string> {
  const { host, port } = wanted;
  const scheme = tls_cert === undefined ? 'http' : 'https';
  // Fastify does not know that its server speaks TLS.
  const listenTextResolver = (address: string) => `server listening at ${address.replace(/^https?/, scheme)}`;
  try {
    await server.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw listenProblem(error, wanted);
  }
  const address = server.server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return `${scheme}://${hostAndPort(host, boundPort)}`;
}

/** Takes no new requests and finishes those that have arrived; what is still under way at the limit is cut off. */
export async function stopServing(server: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => server.server.closeAllConnections(), FINISH_WITHIN_MS);
  await server.close();
  clearTimeout(cutOff);
}
