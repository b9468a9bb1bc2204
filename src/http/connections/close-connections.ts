import type { FastifyInstance } from 'fastify';
import { isBodyMissing } from './missing-bodies.ts';

/**
 * Clients are told not to send another request on a connection: once the server closes, and where the answer goes out before the body of
 * its request is here.
 */
export function closeConnections(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const send = () => {
      if (isClosing || isBodyMissing(raw)) reply.header('connection', 'close');
      done();
    };
    // What came together with the head is read by then, and the connection can go on.
    if (isBodyMissing(raw)) setImmediate(send);
    else send();
  });
}
