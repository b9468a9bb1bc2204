import type { RequestListener, Server, ServerResponse } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits, ConnectionMetrics } from './connection-limits.ts';
import { limitConnections } from './connection-limits.ts';
import { drainThenClose, isBodyIncomplete, serializeRequests } from './request-pipelining.ts';

/** What Node knows of a connection, and has no public name for. */
interface SocketInternals {
  /** The answer that the client is waiting for. */
  readonly _httpMessage?: ServerResponse | null;
  /** The connection below one with TLS. */
  readonly _parent?: SocketInternals;
  readonly _handle?: { readonly writeQueueSize: number } | null;
}

/** The request is here, and nothing of the answer: whatever takes so long, it is not the client. */
const isServerProcessing = (socket: Socket & SocketInternals): boolean =>
  socket._httpMessage?.req.complete === true && socket.writableLength === 0;

/** Below TLS, what is written and not yet sent. Without TLS Node compares that by itself before it calls a connection idle. */
const unsentTlsBytes = ({ _parent }: Socket & SocketInternals): number =>
  _parent?._handle?.writeQueueSize ?? 0;

/** Closes connections on which nothing has moved for a while, unless the next move is ours. */
export function closeStalledConnections(server: Server, idleTimeoutMs: number): void {
  const previousUnsent = new WeakMap<Socket, number>();
  server.setTimeout(idleTimeoutMs, socket => {
    if (isServerProcessing(socket)) return;
    const unsent = unsentTlsBytes(socket);
    if (unsent === 0 || unsent === previousUnsent.get(socket)) {
      socket.destroy();
      return;
    }
    previousUnsent.set(socket, unsent);
    socket.setTimeout(idleTimeoutMs);
  });
}

// Node's own server, below Fastify: TLS, and how long it waits for whom. Nobody holds a connection for ever by being slow.

/** A certificate with its chain, and its key, in PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface NodeServerOptions {
  /** How long a TLS handshake may take, and then a request's headers and body. */
  readonly receiveTimeoutMs: number;
  /** How long nothing may move on a connection whose client has to send or to read. */
  readonly idleTimeoutMs: number;
  readonly connections: ConnectionLimits;
  readonly connectionMetrics: ConnectionMetrics;
  readonly tls?: TlsCertificate | undefined;
}

const TIMEOUT_CHECK_INTERVAL_MS = 1000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Suites that authenticate what they encrypt (AEAD), with forward secrecy. Every suite of TLS 1.3 does; these are those of TLS 1.2. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

const toSecureContext = ({ cert, key }: TlsCertificate) =>
  ({ cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true }) as const;

/** Node knows a connection only once its handshake is done, and would wait for others when it closes. */
class TlsServer extends https.Server {
  readonly #sockets = new Set<Socket>();

  constructor(options: https.ServerOptions, handler: RequestListener) {
    super(options, handler);
    this.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
  }
}

export function createNodeServer(
  { receiveTimeoutMs, idleTimeoutMs, connections, connectionMetrics, tls }: NodeServerOptions,
  handler: RequestListener,
): http.Server | https.Server {
  const limits = {
    headersTimeout: receiveTimeoutMs,
    requestTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // `checks/host-header.ts` asks for it, so that its absence is told like everything else.
    requireHostHeader: false,
  };
  const serve = serializeRequests((request, response) => {
    // Node loses what comes right behind a request for another protocol, so nothing may.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    drainThenClose(request, response);
    handler(request, response);
  });
  const server = tls
    ? new TlsServer({ ...limits, ...toSecureContext(tls), handshakeTimeout: receiveTimeoutMs }, serve)
    : http.createServer(limits, serve);
  // An expectation that is not known may be passed over (RFC 9110).
  server.on('checkExpectation', serve);
  limitConnections(server, connections, connectionMetrics);
  closeStalledConnections(server, idleTimeoutMs);
  return server;
}

/** From now on connections begin with this certificate; those that are open go on with theirs. */
export function replaceCertificate(server: http.Server | https.Server, certificate: TlsCertificate): void {
  if (server instanceof https.Server) server.setSecureContext(toSecureContext(certificate));
}

/**
 * Clients are told not to send another request on a connection: once the server closes, and where the answer goes out before the body of
 * its request is here.
 */
export function sendConnectionClose(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const send = () => {
      if (isClosing || isBodyIncomplete(raw)) reply.header('connection', 'close');
      done();
    };
    // What came together with the head is read by then, and the connection can go on.
    if (isBodyIncomplete(raw)) setImmediate(send);
    else send();
  });
}
