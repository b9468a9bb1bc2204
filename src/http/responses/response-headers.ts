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

/** One year. */
const HSTS_MAX_AGE_S = 31_536_000;

/** Browsers ignore Strict-Transport-Security over plain HTTP. Behind a proxy, the proxy sends it. */
export const securityHeaders = (isTls: boolean): SecurityHeaders =>
  isTls ? { ...BASE_HEADERS, 'strict-transport-security': `max-age=${HSTS_MAX_AGE_S}` } : BASE_HEADERS;

declare module 'fastify' {
  interface FastifyRequest {
    eventPosition: number;
  }
}

/** Must be the first hook: data that the request reads later is at least as new as this position. */
export function recordEventPosition(server: FastifyInstance, { events }: App): void {
  server.decorateRequest('eventPosition', 0);
  server.addHook('onRequest', (request, _reply, done) => {
    request.eventPosition = events.position();
    done();
  });
}

/** Sends authenticated clients the event position that a read reflects at least. */
export function sendEventPosition(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.actor) reply.header('hostler-event', request.eventPosition);
    done();
  });
}
