// A client may send its next requests before it has the answer to the first. Node would serve all of them at once, and keep all answers
// in memory until the client reads them. Here one is served after the other, and no more are read meanwhile. When what follows turns
// out not to be HTTP, Node says so at once: a refusal sent then would be taken for the answer of the request that is being served. So
// that, too, waits its turn.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type ClientErrorHandler = (error: Error & { code?: string }, socket: Socket) => void;

/** The newest answer on each connection, and how many before it are not done. */
const latestResponses = new WeakMap<Socket, ServerResponse>();
const queuedCounts = new WeakMap<Socket, number>();
/** What is to happen when the turn of the newest comes, whose rest is not HTTP. */
const deferredErrors = new WeakMap<Socket, () => void>();

function queueAfter(socket: Socket, previous: ServerResponse, run: () => void): void {
  queuedCounts.set(socket, (queuedCounts.get(socket) ?? 0) + 1);
  // Not at once: Node goes on reading when it has come to the end of a request, and would undo it.
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

/** Serves the requests of a connection one after the other. */
export const serializeRequests =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request;
    // It has had its last answer.
    if (socket.writableEnded) return;
    const previous = latestResponses.get(socket);
    latestResponses.set(socket, response);
    if (previous === undefined || previous.closed) {
      handler(request, response);
      return;
    }
    queueAfter(socket, previous, () => {
      const sendDeferredError =
        latestResponses.get(socket) === response ? deferredErrors.get(socket) : undefined;
      if (sendDeferredError) sendDeferredError();
      else handler(request, response);
    });
  };

/** Nobody waits for the rest of these. */
const isInProgress = ({ headersSent, req: { complete, method } }: ServerResponse) =>
  headersSent || complete || method === 'GET' || method === 'HEAD';

/** Refuses what follows on a request that is being served only after its answer. A request that was answered gets no second one. */
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

// A request may be answered before its body is here: refusals come first, and nobody reads the body of a GET. What is left of it could be
// anything, and the client may have thought better of sending it; so the connection ends with that answer. It is read on meanwhile, for as
// long as a request may take: closed with bytes on the way, the system would have the client lose the answer, too.

/** Whether a request has a body, and not all of it is here. */
export const isBodyIncomplete = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0);

/** Has the connection end on our side after the answer, and wholly once the rest of the body is here. */
export function drainThenClose(request: IncomingMessage, response: ServerResponse): void {
  if (!isBodyIncomplete(request)) return;
  const { socket } = request;
  // Before Node's own listener, which calls it where the answer is the last one.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    socket.destroySoon = () => {
      socket.end();
      request.once('end', () => socket.destroy());
    };
  });
}
