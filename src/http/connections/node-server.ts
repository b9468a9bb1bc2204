// Node's own server, below Fastify: TLS, and how long it waits for whom. Nobody holds a connection for ever by being slow.

import type { RequestListener } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { oneAtATime } from './in-turn.ts';
import type { ConnectionLimits, ConnectionMeter } from './limit-connections.ts';
import { limitConnections } from './limit-connections.ts';
import { closeGently } from './missing-bodies.ts';
import { closeStalledConnections } from './stalled-connections.ts';

/** A certificate with its chain, and its key, in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface NodeServerOptions {
  /** How long a TLS handshake may take, and then a request's headers and body. */
  readonly receiveTimeoutMs: number;
  /** How long nothing may move on a connection whose client has to send or to read. */
  readonly idleTimeoutMs: number;
  readonly connections: ConnectionLimits;
  readonly connectionMeter: ConnectionMeter;
  readonly tls?: TlsPair | undefined;
}

const CHECK_TIMEOUTS_EVERY_MS = 1000;
const KEEP_ALIVE_MS = 72_000;

/** Suites that authenticate what they encrypt (AEAD), with forward secrecy. Every suite of TLS 1.3 does; these are those of TLS 1.2. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

const contextOf = ({ cert, key }: TlsPair) =>
  ({ cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true }) as const;

/** Node knows a connection only once its handshake is done, and would wait for others when it closes. */
class TlsServer extends https.Server {
  readonly #open = new Set<Socket>();

  constructor(options: https.ServerOptions, handler: RequestListener) {
    super(options, handler);
    this.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const socket of this.#open) socket.destroy();
  }
}

export function createNodeServer(
  { receiveTimeoutMs, idleTimeoutMs, connections, connectionMeter, tls }: NodeServerOptions,
  handler: RequestListener,
): http.Server | https.Server {
  const limits = {
    headersTimeout: receiveTimeoutMs,
    requestTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `checks/host-header.ts` asks for it, so that its absence is told like everything else.
    requireHostHeader: false,
  };
  const serve = oneAtATime((request, response) => {
    // Node loses what comes right behind a request for another protocol, so nothing may.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    closeGently(request, response);
    handler(request, response);
  });
  const server = tls
    ? new TlsServer({ ...limits, ...contextOf(tls), handshakeTimeout: receiveTimeoutMs }, serve)
    : http.createServer(limits, serve);
  // An expectation that is not known may be passed over (RFC 9110).
  server.on('checkExpectation', serve);
  limitConnections(server, connections, connectionMeter);
  closeStalledConnections(server, idleTimeoutMs);
  return server;
}

/** From now on connections begin with this certificate; those that are open go on with theirs. */
export function renewCertificate(server: http.Server | https.Server, pair: TlsPair): void {
  if (server instanceof https.Server) server.setSecureContext(contextOf(pair));
}
