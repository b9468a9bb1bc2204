import Type from 'typebox';
import { HEALTH_CHECKER_STATES, HOST_STATUSES } from '../../domain/vocabulary.ts';
import { defineRoute, READERS } from '../route-definition.ts';
import { Cluster } from './clusters.ts';

const tag = 'Service';
const Health = Type.Object({ status: Type.String() });

/** Routes without authentication. */
export const serviceRoutes = {
  getLiveness: defineRoute({
    method: 'GET',
    path: '/healthz',
    tag,
    summary: 'Check whether the process is alive',
    roles: 'anyone',
    statuses: [200],
    response: Health,
  }),
  getReadiness: defineRoute({
    method: 'GET',
    path: '/readyz',
    tag,
    summary: 'Check whether the store can be read and written and its schema is not older than the server',
    roles: 'anyone',
    statuses: [200],
    response: Health,
  }),
  getOpenApi: defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag,
    summary: 'Get the OpenAPI 3.1 document of this API',
    roles: 'anyone',
    statuses: [200],
    response: Type.Unknown(),
  }),
  getDocs: defineRoute({
    method: 'GET',
    path: '/docs',
    tag,
    summary: 'Get the documentation of this API as a web page',
    roles: 'anyone',
    statuses: [200],
    response: Type.String(),
    mediaType: 'text/html; charset=utf-8',
  }),
};

export const Overview = Type.Object({
  hosts: Type.Object({
    total: Type.Integer(),
    in_maintenance: Type.Integer({ description: 'Hosts in maintenance, with any status.' }),
    by_status: Type.Record(Type.Enum(HOST_STATUSES), Type.Integer(), {
      description: 'Number of hosts for each status, including statuses without hosts.',
    }),
  }),
  clusters: Type.Array(Cluster, { description: 'All clusters, sorted by name (code points).' }),
  operations: Type.Object({ in_process: Type.Integer({ description: 'Operations that have not ended.' }) }),
});

export const overviewRoutes = {
  getOverview: defineRoute({
    method: 'GET',
    path: '/api/v0/overview',
    tag: 'Service',
    summary: 'Count hosts and operations, and list all clusters',
    roles: READERS,
    statuses: [200],
    response: Overview,
  }),
};

export const HealthCheckReport = Type.Object({
  state: Type.Enum(HEALTH_CHECKER_STATES, {
    description:
      '`off`: this server checks no hosts. `ok`: checks are on time. `lagging`: checks are late. `partitioned`: most hosts stopped responding at the same time, so the server has probably lost its network and keeps the statuses.',
  }),
  interval_s: Type.Number({
    description: 'Seconds between two health checks of a host. 0 if hosts are not checked.',
  }),
  lag_s: Type.Number({ description: 'Delay of the most overdue health check in seconds.' }),
  hosts: Type.Integer({ description: 'Number of hosts that are checked.' }),
  unreachable: Type.Integer({ description: 'Number of these hosts that do not respond.' }),
  detail: Type.String({
    description: 'Explanation of the state, and what to do. Empty if there is no problem.',
  }),
});

export const healthCheckRoutes = {
  getHealthChecks: defineRoute({
    method: 'GET',
    path: '/api/v0/health-checks',
    tag: 'Hosts',
    summary: 'Get the state of the health checks',
    roles: READERS,
    statuses: [200],
    response: HealthCheckReport,
  }),
};

export const Identity = Type.Object({
  public_key: Type.String({ description: 'Public key in the format of `authorized_keys`.' }),
});

export const identityRoutes = {
  getIdentity: defineRoute({
    method: 'GET',
    path: '/api/v0/identity',
    tag: 'Service',
    summary: "Get Hostler's own public SSH key",
    description: 'Hosts that enrol with a token and send no private key must authorize this key.',
    roles: READERS,
    statuses: [200],
    response: Identity,
  }),
};

/** The media types that Prometheus requests. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export const metricsRoutes = {
  getMetrics: defineRoute({
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    summary: 'Get Prometheus metrics',
    description:
      'Returns OpenMetrics 1.0 if the client accepts `application/openmetrics-text`, otherwise the Prometheus text format 0.0.4.',
    roles: READERS,
    allowsCachedLogin: true,
    skipsTracing: true,
    statuses: [200],
    response: Type.String(),
    mediaType: PROMETHEUS_TEXT,
    alternateMediaType: OPEN_METRICS,
  }),
};
