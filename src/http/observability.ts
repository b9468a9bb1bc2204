import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { RouteDefinition } from '../contract/route-definition.ts';
import type { Log } from '../lib/log.ts';
import type { Span, Tracer } from '../lib/tracer.ts';
import { getTraceId } from '../lib/tracer.ts';
import type { ConnectionMetrics } from './connections/connection-limits.ts';

/**
 * One line for each request: not its query nor its body, which may hold what is nobody's business. It is written by hand, since
 * this is what the service does most: a logger takes three times as long.
 */
export function logRequests(server: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip, actor } = request;
    const query = url.indexOf('?');
    const path = JSON.stringify(query === -1 ? url : url.slice(0, query));
    const account = actor ? `"account":${JSON.stringify(actor.account)},` : '';
    const traceId = request.span ? `"traceId":"${getTraceId(request.span.context)}",` : '';
    // Nobody knows the address of a caller that has gone meanwhile, whatever the type says.
    const address = JSON.stringify(ip ?? '');
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    log.writeInfo(
      `"requestId":"${id}","method":${JSON.stringify(method)},"path":${path},"status":${reply.statusCode},` +
        `${traceId}${account}"address":${address},"ms":${ms},"msg":"request"`,
    );
    done();
  });
}

/** Ids that come once in all starts of the service. */
export function createRequestIdGenerator(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** The forms in which metrics are told. */
export type MetricsFormat = 'openmetrics' | 'prometheus';

/** What the server tells of requests and connections, and where it gets what is told at `/metrics`. */
export interface HttpMetrics {
  /** `route` is the template of a row's path. Streams that go on are not told. */
  requestServed(method: string, route: string, status: number, seconds: number): void;
  /** What was refused on a bare connection, since it is no request that could be read, or did not arrive in time. */
  requestMalformed(status: number): void;
  readonly connections: ConnectionMetrics;
  render(format: MetricsFormat): Promise<string>;
}

/** What is in no row: the dashboard's own files, and paths that do not exist. */
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
    /** `undefined` where the request is not traced. */
    span: Span | undefined;
  }
}

export interface RequestTracing {
  readonly tracer: Tracer | null;
  /** Which part of the requests that only read is traced, from 0 to 1. */
  readonly readSampleRatio: number;
}

/** A stream of events has no end that anybody waits for. */
const isNotTraced = ({ isStream, skipsTracing }: RouteDefinition): boolean =>
  isStream === true || skipsTracing === true;

/**
 * One span for each request of somebody who was let in, under that of the caller. Strangers make none, and their headers decide about
 * nothing: so this comes after the credentials. Names are those of rows, and so bounded. Who calls is told by the role alone. A caller
 * that traces itself has decided about its reads already.
 */
export function traceRequests(server: FastifyInstance, { tracer, readSampleRatio }: RequestTracing): void {
  server.decorateRequest('span', undefined);
  if (tracer === null) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config;
    const { method, headers, id, actor } = request;
    const parent = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const isSampledOut = route?.method === 'GET' && parent === undefined && Math.random() >= readSampleRatio;
    if (route !== undefined && actor !== undefined && !isNotTraced(route) && !isSampledOut) {
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
      attributes: {
        'http.response.status_code': statusCode,
        ...(actor && { 'hostler.role': actor.role }),
      },
      errorType: statusCode >= 500 ? String(statusCode) : undefined,
    });
    done();
  });
}
