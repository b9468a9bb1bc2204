import Type from 'typebox';
import { HEALTH_CHECKER_STATES, HOST_STATUSES } from '../../domain/vocabulary.ts';
import { integer, named, text } from '../fields.ts';
import { defineRoute, READERS } from '../route-definition.ts';
import { Cluster } from './clusters.ts';

const get = { tag: 'Service', method: 'GET', roles: READERS } as const;
const getPublic = { ...get, roles: 'anyone' } as const;
const Health = named('ServiceHealth', Type.Object({ status: Type.String() }));

export const serviceRoutes = {
  getLiveness: defineRoute({
    ...getPublic,
    path: '/healthz',
    summary: 'Check whether the process is alive',
    response: Health,
  }),
  getReadiness: defineRoute({
    ...getPublic,
    path: '/readyz',
    summary: 'Check whether the store can be read and written and its schema is not older than the server',
    response: Health,
  }),
  getOpenApi: defineRoute({
    ...getPublic,
    path: '/openapi.json',
    summary: 'Get the OpenAPI 3.1 document of this API',
    response: Type.Unknown(),
  }),
  getDocs: defineRoute({
    ...getPublic,
    path: '/docs',
    summary: 'Get the documentation of this API as a web page',
    response: Type.String(),
    mediaType: 'text/html; charset=utf-8',
  }),
};

export const Overview = named(
  'Overview',
  Type.Object({
    hosts: Type.Object({
      total: Type.Integer(),
      in_maintenance: integer('Hosts in maintenance, with any status.'),
      by_status: Type.Record(Type.Enum(HOST_STATUSES), Type.Integer(), {
        description: 'Number of hosts for each status, including statuses without hosts.',
      }),
    }),
    clusters: Type.Array(Cluster, { description: 'All clusters, sorted by name (code points).' }),
    operations: Type.Object({ in_process: integer('Operations that have not ended.') }),
  }),
);

const HealthCheckReport = named(
  'HealthCheckReport',
  Type.Object({
    state: Type.Enum(HEALTH_CHECKER_STATES, {
      description:
        '`off`: this server checks no hosts. `ok`: checks are on time. `lagging`: checks are late. `partitioned`: most hosts stopped responding at the same time, so the server has probably lost its network and keeps the statuses.',
    }),
    interval_s: Type.Number({
      description: 'Seconds between two health checks of a host. 0 if hosts are not checked.',
    }),
    lag_s: Type.Number({ description: 'Delay of the most overdue health check in seconds.' }),
    hosts: integer('Number of hosts that are checked.'),
    unreachable: integer('Number of these hosts that do not respond.'),
    detail: text('Explanation of the state, and what to do. Empty if there is no problem.'),
  }),
);

export const overviewRoutes = {
  getOverview: defineRoute({
    ...get,
    path: '/api/v0/overview',
    summary: 'Count hosts and operations, and list all clusters',
    response: Overview,
  }),
  getHealthChecks: defineRoute({
    ...get,
    path: '/api/v0/health-checks',
    tag: 'Hosts',
    summary: 'Get the state of the health checks',
    response: HealthCheckReport,
  }),
};

const Identity = named(
  'ServiceIdentity',
  Type.Object({
    public_key: text('Public key in the format of `authorized_keys`.'),
  }),
);

export const identityRoutes = {
  getIdentity: defineRoute({
    ...get,
    path: '/api/v0/identity',
    summary: "Get Hostler's own public SSH key",
    description: 'Hosts that enrol with a token and send no private key must authorize this key.',
    response: Identity,
  }),
};

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export const metricsRoutes = {
  getMetrics: defineRoute({
    ...get,
    path: '/metrics',
    summary: 'Get Prometheus metrics',
    description:
      'Returns OpenMetrics 1.0 if the client accepts `application/openmetrics-text`, otherwise the Prometheus text format 0.0.4.',
    worksDuringStoreOutage: true,
    skipsTracing: true,
    response: Type.String(),
    mediaType: PROMETHEUS_TEXT,
    alternateMediaType: OPEN_METRICS,
  }),
};
