import type { FastifyInstance } from 'fastify';
import type { App } from '../../app/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The position of the log when the request came in. */
    eventPosition: number;
  }
}

/** Notes the position before anything else is looked at: whatever is read later is at least as new. */
export function keepPosition(server: FastifyInstance, { events }: App): void {
  server.decorateRequest('eventPosition', 0);
  server.addHook('onRequest', (request, _reply, done) => {
    request.eventPosition = events.position();
    done();
  });
}

/** Every read says for which position it is true, to whoever has shown who they are. */
export function tellPosition(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.actor) reply.header('hostler-event', request.eventPosition);
    done();
  });
}
