import type { FastifyInstance } from 'fastify';
import type { Route } from '../../contract/route.ts';
import type { Span, Tracer } from '../../lib/tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `undefined` where the request is not traced. */
    span: Span | undefined;
  }
}

export interface RequestTracing {
  readonly tracer: Tracer | null;
  /** Which part of the requests that only read is traced, from 0 to 1. */
  readonly readsShare: number;
}

/** A stream of events has no end that anybody waits for. */
const isNeverTraced = ({ isStream, isUntraced }: Route): boolean => isStream === true || isUntraced === true;

/**
 * One span for each request of somebody who was let in, under that of the caller. Strangers make none, and their headers decide about
 * nothing: so this comes after the credentials. Names are those of rows, and so bounded. Who calls is told by the role alone. A caller
 * that traces itself has decided about its reads already.
 */
export function traceRequests(server: FastifyInstance, { tracer, readsShare }: RequestTracing): void {
  server.decorateRequest('span', undefined);
  if (tracer === null) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { row } = request.routeOptions.config;
    const { method, headers, id, actor } = request;
    const under = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const isLeftOut = row?.method === 'GET' && under === undefined && Math.random() >= readsShare;
    if (row !== undefined && actor !== undefined && !isNeverTraced(row) && !isLeftOut) {
      request.span = tracer.start({
        name: `${method} ${row.path}`,
        kind: 'server',
        under,
        attributes: { 'http.request.method': method, 'http.route': row.path, 'hostler.request_id': id },
        begunMsAgo: reply.elapsedTime,
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
      problem: statusCode >= 500 ? String(statusCode) : undefined,
    });
    done();
  });
}
