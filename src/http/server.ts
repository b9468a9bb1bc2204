// The HTTP surface. The order of checks is the contract's: credentials, route, method, role, syntax of path and body; then the use
// case finds out whether the record exists and its state allows what is asked. Nothing here decides anything else.

import type { FastifyInstance } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { App } from '../app/index.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Log } from '../lib/log.ts';
import { systemClock } from '../lib/time/clock.ts';
import { keepPosition, tellPosition } from './answers/event-position.ts';
import type { StaticHeaders } from './answers/static-headers.ts';
import { staticHeaders } from './answers/static-headers.ts';
import type { Handlers } from './call.ts';
import { authenticateRequests } from './checks/authentication.ts';
import type { BodySettings } from './checks/body-limits.ts';
import { bodyLimits } from './checks/body-limits.ts';
import { requireHost } from './checks/host-header.ts';
import { readJsonBodies } from './checks/json-body.ts';
import { answerUnserved } from './checks/unknown-path.ts';
import { validatorCompiler } from './checks/validation.ts';
import type { Compat } from './compat.ts';
import { handlersOf, routesOf } from './compat.ts';
import { closeConnections } from './connections/close-connections.ts';
import { inTurn } from './connections/in-turn.ts';
import type { NodeServerOptions } from './connections/node-server.ts';
import { createNodeServer } from './connections/node-server.ts';
import { tellRefused } from './connections/tell-refused.ts';
import type { Dashboard } from './dashboard/read-dashboard.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import { answerClientError, refusalOf, sendRefusal } from './problems/failures.ts';
import { noteRefusal } from './problems/note-refusal.ts';
import { readablePath } from './requests/request-target.ts';
import { accountHandlers } from './routes/accounts.ts';
import { auditHandlers } from './routes/audit.ts';
import { bulkEnrolmentHandlers } from './routes/bulk-enrolment.ts';
import { clusterOperationHandlers } from './routes/cluster-operations.ts';
import { clusterHandlers } from './routes/clusters.ts';
import { driverRecordHandlers } from './routes/driver-records.ts';
import { driverHandlers } from './routes/drivers.ts';
import { eventHandlers } from './routes/events.ts';
import { holdHandlers } from './routes/hold.ts';
import { hostAccessHandlers } from './routes/host-access.ts';
import { hostCareHandlers } from './routes/host-care.ts';
import { hostHandlers } from './routes/hosts.ts';
import { identityHandlers } from './routes/identity.ts';
import { inventoryHandlers } from './routes/inventory.ts';
import { metricsHandlers } from './routes/metrics.ts';
import { operationHandlers } from './routes/operations.ts';
import { overviewHandlers } from './routes/overview.ts';
import { serviceHandlers } from './routes/service.ts';
import { sessionHandlers } from './routes/sessions.ts';
import { tokenHandlers } from './routes/tokens.ts';
import { userDataHandlers } from './routes/user-data.ts';
import { watchHandlers } from './routes/watch.ts';
import { webhookHandlers } from './routes/webhooks.ts';
import type { ServedRoute } from './serve-route.ts';
import { serveRoute } from './serve-route.ts';
import type { HttpMetrics } from './telling/http-metrics.ts';
import { measureRequests } from './telling/http-metrics.ts';
import { requestIds } from './telling/request-ids.ts';
import { logRequests } from './telling/request-log.ts';
import type { RequestTracing } from './telling/request-spans.ts';
import { traceRequests } from './telling/request-spans.ts';

export interface HttpOptions extends Omit<NodeServerOptions, 'connectionMeter'> {
  readonly app: App;
  readonly version: string;
  readonly compat: Compat;
  readonly log: Log;
  /** Networks whose `X-Forwarded-For` counts. */
  readonly trustProxy: readonly string[];
  readonly bodies: BodySettings;
  /** What is served at `/`; `undefined` where it is not built. */
  readonly dashboard: Dashboard | undefined;
  readonly tracing: RequestTracing;
  readonly metrics: HttpMetrics;
}

type ServedRows = ReturnType<typeof routesOf>;

/** Node bounds the whole head of a request at 16 KiB; a path cannot be longer. */
const MAX_PATH_BYTES = 16_384;

/** Whoever runs the service has to act: the log has them with their cause. */
const LOGGED_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'secret_damaged',
  'store_unavailable',
  'store_corrupt',
]);

const allHandlers = ({ app, version, compat, metrics }: HttpOptions, rows: ServedRows): Handlers => ({
  ...clusterHandlers(app),
  ...clusterOperationHandlers(app, compat),
  ...operationHandlers(app),
  ...holdHandlers(app),
  ...driverRecordHandlers(app),
  ...hostHandlers(app),
  ...bulkEnrolmentHandlers(app),
  ...hostAccessHandlers(app),
  ...hostCareHandlers(app),
  ...inventoryHandlers(app),
  ...driverHandlers(app),
  ...overviewHandlers(app),
  ...watchHandlers(app),
  ...accountHandlers(app),
  ...sessionHandlers(app),
  ...tokenHandlers(app),
  ...userDataHandlers(app),
  ...identityHandlers(app),
  ...auditHandlers(app),
  ...webhookHandlers(app),
  ...eventHandlers(app),
  ...metricsHandlers(metrics),
  ...serviceHandlers(app, version, rows),
});

function createServer(
  options: HttpOptions,
  headers: StaticHeaders,
  newRequestId: () => string,
): FastifyInstance {
  const { log, metrics } = options;
  const connectionMeter = tellRefused(metrics.connections, log, systemClock);
  return fastify({
    serverFactory: handler => createNodeServer({ ...options, connectionMeter }, handler),
    // Fastify would give each request a logger of its own, which nobody asks for.
    loggerInstance: Object.create(log, { child: { value: () => log } }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    rewriteUrl: request => readablePath(request.url ?? '/'),
    bodyLimit: options.bodies.bodyBytes,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PATH_BYTES,
    },
    clientErrorHandler: inTurn((error, socket) =>
      answerClientError(error, socket, {
        ...{ log, headers, requestId: newRequestId() },
        told: options.metrics.requestUnreadable,
      }),
    ),
  });
}

/** The server with all routes of the contract; it does not listen yet. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { app, compat, log } = options;
  const headers = staticHeaders(options.tls !== undefined);
  const server = createServer(options, headers, requestIds());
  server.setValidatorCompiler(validatorCompiler);
  const limits = bodyLimits(options.bodies);
  readJsonBodies(server, limits);

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  serveDashboard(server, options.dashboard);
  keepPosition(server, app);
  authenticateRequests(server, app);
  traceRequests(server, options.tracing);
  tellPosition(server);
  requireHost(server);
  answerUnserved(server);

  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (LOGGED_ERRORS.has(refusal.code)) {
      log.error({ err: error, requestId: request.id }, refusal.code);
    }
    noteRefusal(app, request, refusal.code);
    return sendRefusal(request, reply, refusal, compat.unauthorizedStatus);
  });
  logRequests(server, log);
  measureRequests(server, options.metrics);

  closeConnections(server);

  const rows = routesOf(compat);
  const handlers = handlersOf(allHandlers(options, rows), compat);
  for (const name of Object.keys(rows) as (keyof ServedRows)[]) {
    const served = { row: rows[name], handle: handlers[name] } as ServedRoute;
    serveRoute(server, served, { ...compat, limits });
  }
  return server;
}
