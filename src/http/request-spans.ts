import type { FastifyInstance } from 'fastify';
import type { Span, Tracer } from '../lib/tracer.ts';

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

/**
 * One span for each request that a row of the contract answers, under that of the caller. Names are those of rows, and so bounded. Who calls
 * is told by the role alone. A caller that traces itself has decided about its reads already. A stream has no end that anybody waits for.
 */
export function traceRequests(server: FastifyInstance, { tracer, readsShare }: RequestTracing): void {
  server.decorateRequest('span', undefined);
  if (tracer === null) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const { row } = request.routeOptions.config;
    const { method, headers, id } = request;
    const under = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const isLeftOut = row?.method === 'GET' && under === undefined && Math.random() >= readsShare;
    if (row !== undefined && !row.isStream && !isLeftOut)
      request.span = tracer.start({
        name: `${method} ${row.path}`,
        kind: 'server',
        under,
        attributes: { 'http.request.method': method, 'http.route': row.path, 'hostler.request_id': id },
      });
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
