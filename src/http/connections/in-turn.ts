// A client may send its next requests before it has the answer to the first. Node would serve all of them at once, and keep all answers
// in memory until the client reads them. Here one is served after the other, and no more are read meanwhile. When what follows turns
// out not to be HTTP, Node says so at once: a refusal sent then would be taken for the answer of the request that is being served. So
// that, too, waits its turn.

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Refuse = (error: Error & { code?: string }, socket: Socket) => void;

/** The newest answer on each connection, and how many before it are not done. */
const newest = new WeakMap<Socket, ServerResponse>();
const waiting = new WeakMap<Socket, number>();
/** What is to happen when the turn of the newest comes, whose rest is not HTTP. */
const refusals = new WeakMap<Socket, () => void>();

function wait(socket: Socket, before: ServerResponse, goOn: () => void): void {
  waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
  // Not at once: Node goes on reading when it has come to the end of a request, and would undo it.
  process.nextTick(() => {
    if ((waiting.get(socket) ?? 0) > 0) socket.pause();
  });
  before.once('close', () => {
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    if (socket.destroyed) return;
    if (left === 0) socket.resume();
    goOn();
  });
}

/** Serves the requests of a connection one after the other. */
export const oneAtATime =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request;
    // It has had its last answer.
    if (socket.writableEnded) return;
    const before = newest.get(socket);
    newest.set(socket, response);
    if (before === undefined || before.closed) {
      handler(request, response);
      return;
    }
    wait(socket, before, () => {
      const refuseNow = newest.get(socket) === response ? refusals.get(socket) : undefined;
      if (refuseNow) refuseNow();
      else handler(request, response);
    });
  };

/** Nobody waits for the rest of these. */
const isBeingServed = ({ headersSent, req: { complete, method } }: ServerResponse) =>
  headersSent || complete || method === 'GET' || method === 'HEAD';

/** Refuses what follows on a request that is being served only after its answer. A request that was answered gets no second one. */
export const inTurn =
  (refuse: Refuse): Refuse =>
  (error, socket) => {
    const answer = newest.get(socket);
    const refuseNow = () => {
      if (answer?.headersSent && !answer.req.complete) socket.destroy();
      else refuse(error, socket);
    };
    if (answer === undefined || answer.closed) refuseNow();
    else if (isBeingServed(answer)) answer.once('close', refuseNow);
    else if ((waiting.get(socket) ?? 0) > 0) refusals.set(socket, refuseNow);
    else refuseNow();
  };
