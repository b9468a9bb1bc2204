// The baseline: a bare Fastify that returns a constant of the requested size, without credentials and
// logging. Prints its URL when it listens.

import { fastify } from 'fastify';

const server = fastify();
const bodies = new Map<number, string>();

server.route<{ Params: { bytes: string } }>({
  method: ['GET', 'PUT'],
  url: '/:bytes',
  handler: async (request, reply) => {
    const bytes = Number(request.params.bytes);
    const body = bodies.get(bytes) ?? JSON.stringify('x'.repeat(Math.max(0, bytes - 2)));
    bodies.set(bytes, body);
    return reply.type('application/json; charset=utf-8').send(body);
  },
});

process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
