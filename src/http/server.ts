// The HTTP server. Checks run in the order of the API contract: credentials, path and method, role, syntax of path,
// query and body. The use case then checks whether the record exists and whether its state allows the request.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { App } from '../app/index.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Log } from '../lib/log.ts';
import { systemClock } from '../lib/time/clock.ts';
import { handlersForMode, routesForMode } from './commissaire-compat.ts';
import { logRejectedConnections } from './connections/connection-limits.ts';
import type { NodeServerOptions } from './connections/node-server.ts';
import { createNodeServer, sendConnectionClose } from './connections/node-server.ts';
import { deferClientErrors } from './connections/request-pipelining.ts';
import type { Dashboard } from './dashboard/dashboard-files.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import { auditRejection, sendClientError, sendProblem, toAppError } from './errors/error-responses.ts';
import type { HttpMetrics, RequestTracing } from './observability.ts';
import { createRequestIdGenerator, logRequests, measureRequests, traceRequests } from './observability.ts';
import type { RegisteredRoute } from './register-route.ts';
import { registerRoute, validatorCompiler } from './register-route.ts';
import type { Handlers } from './request-context.ts';
import { authenticateRequests } from './requests/authentication.ts';
import type { BodySettings } from './requests/json-body.ts';
import { parseJsonBodies, toBodyLimits } from './requests/json-body.ts';
import { handleUnmatchedRequests, normalizeTarget, requireHostHeader } from './requests/request-target.ts';
import type { SecurityHeaders } from './responses/response-headers.ts';
import { recordEventPosition, securityHeaders, sendEventPosition } from './responses/response-headers.ts';
import { accountHandlers } from './routes/accounts.ts';
import { bulkEnrolmentHandlers } from './routes/bulk-enrolment.ts';
import { clusterOperationHandlers } from './routes/cluster-operations.ts';
import { clusterHandlers } from './routes/clusters.ts';
import { driverRecordHandlers } from './routes/driver-records.ts';
import { eventHandlers } from './routes/events.ts';
import { hostHandlers } from './routes/hosts.ts';
import { inventoryHandlers } from './routes/inventory.ts';
import { operationHandlers } from './routes/operations.ts';
import { serviceHandlers } from './routes/service.ts';
import { tokenHandlers } from './routes/tokens.ts';
import { webhookHandlers } from './routes/webhooks.ts';

export interface HttpOptions extends Omit<NodeServerOptions, 'connectionMetrics'> {
  readonly app: App;
  readonly version: string;
  readonly isCommissaire: boolean;
  readonly log: Log;
  /** Networks whose `X-Forwarded-For` header is trusted. */
  readonly trustProxy: readonly string[];
  readonly bodies: BodySettings;
  readonly dashboard: Dashboard | undefined;
  readonly tracing: RequestTracing;
  readonly metrics: HttpMetrics;
}

type RouteTable = ReturnType<typeof routesForMode>;

/** Node limits the request head to 16 KiB, so a path cannot be longer. */
const MAX_PATH_BYTES = 16_384;

/** Errors that an administrator must fix. They are logged with their cause. */
const LOGGED_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'secret_damaged',
  'store_unavailable',
  'store_corrupt',
]);

const createHandlers = ({ app, version, isCommissaire, metrics }: HttpOptions, routes: RouteTable): Handlers => ({
  ...clusterHandlers(app),
  ...clusterOperationHandlers(app, isCommissaire),
  ...operationHandlers(app),
  ...driverRecordHandlers(app),
  ...hostHandlers(app),
  ...bulkEnrolmentHandlers(app),
  ...inventoryHandlers(app),
  ...accountHandlers(app),
  ...tokenHandlers(app),
  ...webhookHandlers(app),
  ...eventHandlers(app),
  ...serviceHandlers(app, version, routes, metrics),
});

function createServer(options: HttpOptions, headers: SecurityHeaders, newRequestId: () => string): FastifyInstance {
  const { log, metrics } = options;
  const connectionMetrics = logRejectedConnections(metrics.connections, log, systemClock);
  return fastify({
    serverFactory: handler => createNodeServer({ ...options, connectionMetrics }, handler),
    // Avoids a child logger per request, which Fastify creates and nothing uses.
    loggerInstance: log as FastifyBaseLogger,
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    rewriteUrl: request => normalizeTarget(request.url ?? '/'),
    bodyLimit: options.bodies.bodyBytes,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: MAX_PATH_BYTES },
    clientErrorHandler: deferClientErrors((error, socket) =>
      sendClientError(error, socket, {
        log,
        headers,
        requestId: newRequestId(),
        onResponse: metrics.requestMalformed,
      }),
    ),
  });
}

/** Creates the server with all routes of the contract. It does not listen yet. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { app, isCommissaire, log } = options;
  const headers = securityHeaders(options.tls !== undefined);
  const server = createServer(options, headers, createRequestIdGenerator());
  server.setValidatorCompiler(validatorCompiler);
  const limits = toBodyLimits(options.bodies);
  parseJsonBodies(server, limits);

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  serveDashboard(server, options.dashboard);
  recordEventPosition(server, app);
  authenticateRequests(server, app);
  traceRequests(server, options.tracing);
  sendEventPosition(server);
  requireHostHeader(server);
  handleUnmatchedRequests(server);

  server.setErrorHandler((error, request, reply) => {
    const appError = toAppError(error);
    if (LOGGED_ERRORS.has(appError.code)) log.error({ err: error, requestId: request.id }, appError.code);
    auditRejection(app, request, appError.code);
    return sendProblem(request, reply, appError, isCommissaire ? 403 : 401);
  });
  logRequests(server, log);
  measureRequests(server, options.metrics);

  sendConnectionClose(server);

  const routes = routesForMode(isCommissaire);
  const handlers = handlersForMode(createHandlers(options, routes), isCommissaire);
  for (const name of Object.keys(routes) as (keyof RouteTable)[]) {
    const route = { route: routes[name], handle: handlers[name] } as RegisteredRoute;
    registerRoute(server, route, isCommissaire ? 201 : 200, limits);
  }
  return server;
}
