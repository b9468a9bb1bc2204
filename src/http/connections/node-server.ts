import type { RequestListener, Server } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits, ConnectionMetrics } from './connection-limits.ts';
import { limitConnections } from './connection-limits.ts';
import { drainThenClose, isBodyIncomplete, isServerProcessing, serializeRequests } from './request-pipelining.ts';

/** Undocumented fields of Node sockets: `_parent` is the TCP socket below a TLS socket. */
interface TlsSocketInternals {
  readonly _parent?: { readonly _handle?: { readonly writeQueueSize: number } | null };
}

/** Node checks this itself for plain TCP. `bytesWritten` and `writableLength` do not show progress. */
const unsentTlsBytes = ({ _parent }: Socket & TlsSocketInternals): number => _parent?._handle?.writeQueueSize ?? 0;

/** Closes connections without progress, unless the server is processing a request. */
function closeStalledConnections(server: Server, idleTimeoutMs: number): void {
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

/** PEM: certificate chain and private key. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface NodeServerOptions {
  /** Time limit of the TLS handshake, and of receiving the headers and body of a request. */
  readonly receiveTimeoutMs: number;
  /** Time limit without progress while the client must send or read. */
  readonly idleTimeoutMs: number;
  readonly connections: ConnectionLimits;
  readonly connectionMetrics: ConnectionMetrics;
  readonly tls?: TlsCertificate | undefined;
}

const TIMEOUT_CHECK_INTERVAL_MS = 1000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** AEAD cipher suites with forward secrecy: all of TLS 1.3, and the ECDHE suites of TLS 1.2. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

const toSecureContext = ({ cert, key }: TlsCertificate) =>
  ({ cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true }) as const;

/** Also closes connections during their TLS handshake, which Node does not track. */
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
    // `requests/request-target.ts` checks it and responds with a problem document.
    requireHostHeader: false,
  };
  const serve = serializeRequests((request, response) => {
    // Node discards data that follows an upgrade request, so no request may follow.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    drainThenClose(request, response);
    handler(request, response);
  });
  const server = tls
    ? new TlsServer({ ...limits, ...toSecureContext(tls), handshakeTimeout: receiveTimeoutMs }, serve)
    : http.createServer(limits, serve);
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve);
  limitConnections(server, connections, connectionMetrics);
  closeStalledConnections(server, idleTimeoutMs);
  return server;
}

/** New connections use this certificate; open connections keep theirs. */
export function replaceCertificate(server: http.Server | https.Server, certificate: TlsCertificate): void {
  if (server instanceof https.Server) server.setSecureContext(toSecureContext(certificate));
}

/** Sends `Connection: close` during shutdown, and with a response that precedes the end of the request body. */
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
    // A body that arrived together with the headers is parsed by then, and the connection can stay open.
    if (isBodyIncomplete(raw)) setImmediate(send);
    else send();
  });
}
