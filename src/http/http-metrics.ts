import type { FastifyInstance } from 'fastify';

/** The forms in which metrics are told. */
export type MetricsForm = 'openmetrics' | 'prometheus';

/** What the server tells of requests, and where it gets what is told at `/metrics`. */
export interface HttpMetrics {
  /** `route` is the template of a row's path. Of a stream nobody asks how long it took. */
  requestServed(method: string, route: string, status: number, seconds: number | undefined): void;
  read(form: MetricsForm): Promise<string>;
}

/** What is in no row: the dashboard's own files, and paths that do not exist. */
export const OTHER_ROUTE = 'other';

export function measureRequests(server: FastifyInstance, { requestServed }: HttpMetrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { row } = request.routeOptions.config;
    const seconds = row?.isStream ? undefined : reply.elapsedTime / 1000;
    requestServed(request.method, row?.path ?? OTHER_ROUTE, reply.statusCode, seconds);
    done();
  });
}
