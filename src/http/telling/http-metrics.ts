import type { FastifyInstance } from 'fastify';
import type { ConnectionMeter } from '../connections/limit-connections.ts';

/** The forms in which metrics are told. */
export type MetricsForm = 'openmetrics' | 'prometheus';

/** What the server tells of requests and connections, and where it gets what is told at `/metrics`. */
export interface HttpMetrics {
  /** `route` is the template of a row's path. Streams that go on are not told. */
  requestServed(method: string, route: string, status: number, seconds: number): void;
  /** What was refused on a bare connection, since it is no request that could be read, or did not arrive in time. */
  requestUnreadable(status: number): void;
  readonly connections: ConnectionMeter;
  read(form: MetricsForm): Promise<string>;
}

/** What is in no row: the dashboard's own files, and paths that do not exist. */
export const OTHER_ROUTE = 'other';

export function measureRequests(server: FastifyInstance, { requestServed }: HttpMetrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { row } = request.routeOptions.config;
    requestServed(request.method, row?.path ?? OTHER_ROUTE, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
