import type { FastifyInstance } from 'fastify';
import type { App } from '../../app/index.ts';

export type SecurityHeaders = Readonly<Record<string, string>>;

const BASE_HEADERS: SecurityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A year, in seconds. */
const HSTS_MAX_AGE_S = 31_536_000;

/** What every answer carries. Over plain HTTP browsers ignore Strict-Transport-Security, and behind a proxy it is the proxy's. */
export const securityHeaders = (isTls: boolean): SecurityHeaders =>
  isTls ? { ...BASE_HEADERS, 'strict-transport-security': `max-age=${HSTS_MAX_AGE_S}` } : BASE_HEADERS;

declare module 'fastify' {
  interface FastifyRequest {
    /** The position of the log when the request came in. */
    eventPosition: number;
  }
}

/** Notes the position before anything else is looked at: whatever is read later is at least as new. */
export function recordEventPosition(server: FastifyInstance, { events }: App): void {
  server.decorateRequest('eventPosition', 0);
  server.addHook('onRequest', (request, _reply, done) => {
    request.eventPosition = events.position();
    done();
  });
}

/** Every read says for which position it is true, to whoever has shown who they are. */
export function sendEventPosition(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.actor) reply.header('hostler-event', request.eventPosition);
    done();
  });
}
