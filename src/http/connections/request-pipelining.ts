// Serializes pipelined requests of a connection. Node would serve all of them in parallel and buffer every response
// until the client reads it, so one client could exhaust the memory. While a request is waiting, the socket is paused.
//
// If the data after a request is not HTTP, Node reports the error at once. An error response sent at that
// moment would be read as the response to the request in progress (response desynchronization), so the error
// waits for its position in the sequence.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type ClientErrorHandler = (error: Error & { code?: string }, socket: Socket) => void;

const latestResponses = new WeakMap<Socket, ServerResponse>();
/** The response that the handler of each connection is working on. */
const activeResponses = new WeakMap<Socket, ServerResponse>();
const queuedCounts = new WeakMap<Socket, number>();
/** Error of the data after the newest request; sent in place of its response. */
const deferredErrors = new WeakMap<Socket, () => void>();

function queueAfter(socket: Socket, previous: ServerResponse, run: () => void): void {
  queuedCounts.set(socket, (queuedCounts.get(socket) ?? 0) + 1);
  // Deferred, because Node resumes the socket when it has parsed the end of a request.
  process.nextTick(() => {
    if ((queuedCounts.get(socket) ?? 0) > 0) socket.pause();
  });
  previous.once('close', () => {
    const remaining = (queuedCounts.get(socket) ?? 1) - 1;
    queuedCounts.set(socket, remaining);
    if (socket.destroyed) return;
    if (remaining === 0) socket.resume();
    run();
  });
}

export function serializeRequests(handler: RequestListener): RequestListener {
  const start: RequestListener = (request, response) => {
    activeResponses.set(request.socket, response);
    handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    // The last response of the connection has been sent.
    if (socket.writableEnded) return;
    const previous = latestResponses.get(socket);
    latestResponses.set(socket, response);
    if (previous === undefined || previous.closed) {
      start(request, response);
      return;
    }
    queueAfter(socket, previous, () => {
      const sendDeferredError = latestResponses.get(socket) === response ? deferredErrors.get(socket) : undefined;
      if (sendDeferredError) sendDeferredError();
      else start(request, response);
    });
  };
}

/** The request is complete and no response data is pending, so the delay is on the server. */
export function isServerProcessing(socket: Socket): boolean {
  const response = activeResponses.get(socket);
  if (response === undefined || response.writableFinished) return false;
  return response.req.complete && socket.writableLength === 0;
}

/** True if the handler does not need the rest of the request. */
const isInProgress = ({ headersSent, req: { complete, method } }: ServerResponse) =>
  headersSent || complete || method === 'GET' || method === 'HEAD';

/** Sends the error of invalid data after the response in progress. A request never gets two responses. */
export const deferClientErrors =
  (handleError: ClientErrorHandler): ClientErrorHandler =>
  (error, socket) => {
    const response = latestResponses.get(socket);
    const sendError = () => {
      if (response?.headersSent && !response.req.complete) socket.destroy();
      else handleError(error, socket);
    };
    if (response === undefined || response.closed) sendError();
    else if (isInProgress(response)) response.once('close', sendError);
    else if ((queuedCounts.get(socket) ?? 0) > 0) deferredErrors.set(socket, sendError);
    else sendError();
  };

export const isBodyIncomplete = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0);

/**
 * Closes the connection after a response that was sent before the request body arrived, for example an error. The rest
 * of the body could be taken for the next request. The server sends FIN and keeps reading until the body ends: if it
 * closed the socket with unread data, the kernel would send RST and the client could lose the response.
 */
export function drainThenClose(request: IncomingMessage, response: ServerResponse): void {
  if (!isBodyIncomplete(request)) return;
  const { socket } = request;
  // Prepended: Node's own listener calls `destroySoon` after the last response of a connection.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    socket.destroySoon = () => {
      socket.end();
      request.once('end', () => socket.destroy());
    };
  });
}
