import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { RouteDefinition } from '../contract/route-definition.ts';
import type { Log } from '../lib/log.ts';
import type { Span, Tracer } from '../lib/tracer.ts';
import { getTraceId } from '../lib/tracer.ts';
import type { ConnectionMetrics } from './connections/connection-limits.ts';

/** The query and the body can contain secrets. */
export function logRequests(server: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip, actor } = request;
    const query = url.indexOf('?');
    // Fastify types `ip` as a string, but it is undefined once the client has disconnected.
    log.info(
      {
        requestId: id,
        method,
        path: query === -1 ? url : url.slice(0, query),
        status: reply.statusCode,
        traceId: request.span && getTraceId(request.span.context),
        account: actor?.account,
        address: ip ?? '',
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      'request',
    );
    done();
  });
}

/** IDs are unique across restarts of the server. */
export function createRequestIdGenerator(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

type MetricsFormat = 'openmetrics' | 'prometheus';

export interface HttpMetrics {
  /** `route` is the path template of a route definition. An event stream is not counted while it is open. */
  requestServed(method: string, route: string, status: number, seconds: number): void;
  /** A request that was rejected before routing: malformed HTTP, or not received in time. */
  requestMalformed(status: number): void;
  readonly connections: ConnectionMetrics;
  render(format: MetricsFormat): Promise<string>;
}

/** Route label of dashboard files and of unknown paths. */
export const UNMATCHED_ROUTE = 'other';

export function measureRequests(server: FastifyInstance, { requestServed }: HttpMetrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { route } = request.routeOptions.config;
    requestServed(request.method, route?.path ?? UNMATCHED_ROUTE, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
}

export interface RequestTracing {
  readonly tracer: Tracer | null;
  /** Sampling ratio of GET requests, from 0 to 1. */
  readonly readSampleRatio: number;
}

/** An event stream has no meaningful duration. */
const isTraced = ({ isStream, skipsTracing }: RouteDefinition) => !isStream && !skipsTracing;

/**
 * The hook must run after authentication, so that an unauthenticated client cannot create spans or influence sampling.
 * A request with `traceparent` is always traced, because its client has made the sampling decision.
 */
export function traceRequests(server: FastifyInstance, { tracer, readSampleRatio }: RequestTracing): void {
  server.decorateRequest('span', undefined);
  if (tracer === null) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config;
    const { method, headers, id, actor } = request;
    const parent = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const isSampledOut = route?.method === 'GET' && parent === undefined && Math.random() >= readSampleRatio;
    if (route !== undefined && actor !== undefined && isTraced(route) && !isSampledOut) {
      request.span = tracer.start({
        name: `${method} ${route.path}`,
        kind: 'server',
        parent,
        attributes: { 'http.request.method': method, 'http.route': route.path, 'hostler.request_id': id },
        startedMsAgo: reply.elapsedTime,
      });
      request.actor = { ...actor, trace: request.span.context };
    }
    done();
  });
  server.addHook('onResponse', ({ span, actor }, { statusCode }, done) => {
    span?.end({
      attributes: { 'http.response.status_code': statusCode, ...(actor && { 'hostler.role': actor.role }) },
      errorType: statusCode >= 500 ? String(statusCode) : undefined,
    });
    done();
  });
}
