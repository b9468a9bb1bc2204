import type { FastifyInstance } from 'fastify';

/** Once the server closes, whoever still has a request under way is told not to send another on this connection. */
export function closeConnections(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
}
