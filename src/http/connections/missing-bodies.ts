// A request may be answered before its body is here: refusals come first, and nobody reads the body of a GET. What is left of it could be
// anything, and the client may have thought better of sending it; so the connection ends with that answer. It is read on meanwhile, for as
// long as a request may take: closed with bytes on the way, the system would have the client lose the answer, too.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a request has a body, and not all of it is here. */
export const isBodyMissing = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0);

/** Has the connection end on our side after the answer, and wholly once the rest of the body is here. */
export function closeGently(request: IncomingMessage, response: ServerResponse): void {
  if (!isBodyMissing(request)) return;
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
