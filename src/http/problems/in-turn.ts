import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Refuse = (error: Error & { code?: string }, socket: Socket) => void;

/** The newest answer on each connection. */
const newest = new WeakMap<Socket, ServerResponse>();

/** Notes which request a connection is at. */
export const noting =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    newest.set(request.socket, response);
    handler(request, response);
  };

/** Nobody waits for the rest of these. */
const isBeingServed = ({ complete, method }: IncomingMessage) =>
  complete || method === 'GET' || method === 'HEAD';

/** What follows on a request that is being served is refused after its answer, or the refusal would be taken for that. */
export const inTurn =
  (refuse: Refuse): Refuse =>
  (error, socket) => {
    const answer = newest.get(socket);
    if (answer === undefined || answer.closed || !isBeingServed(answer.req)) refuse(error, socket);
    else answer.once('close', () => refuse(error, socket));
  };
