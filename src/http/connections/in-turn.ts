// A client may send its next request before it has the answer to the first. When what follows turns out not to be HTTP, Node says so at
// once, while the first is still being served: a refusal sent then would be taken for the first one's answer. So it waits its turn.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Refuse = (error: Error & { code?: string }, socket: Socket) => void;

/** The newest answer on each connection. */
const newest = new WeakMap<Socket, ServerResponse>();

/** Notes for each connection which answer it is at; `inTurn` goes by it. */
export const noteAnswers =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    newest.set(request.socket, response);
    handler(request, response);
  };

/** Nobody waits for the rest of these. */
const isBeingServed = ({ complete, method }: IncomingMessage) =>
  complete || method === 'GET' || method === 'HEAD';

/** Refuses what follows on a request that is being served only after its answer. */
export const inTurn =
  (refuse: Refuse): Refuse =>
  (error, socket) => {
    const answer = newest.get(socket);
    if (answer === undefined || answer.closed || !isBeingServed(answer.req)) refuse(error, socket);
    else answer.once('close', () => refuse(error, socket));
  };
