import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import { buildInlineDocument, buildOpenApiDocument } from '../../contract/openapi.ts';
import type { RouteDefinition } from '../../contract/route-definition.ts';
import type {
  identityRoutes,
  metricsRoutes,
  Overview,
  overviewRoutes,
  serviceRoutes,
} from '../../contract/routes/service.ts';
import { OPEN_METRICS } from '../../contract/routes/service.ts';
import type { Overview as OverviewRecord } from '../../domain/fleet-stats.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { renderDocsPage } from '../docs-page.ts';
import type { HttpMetrics } from '../observability.ts';
import type { HandlersFor } from '../request-context.ts';
import { prefersOpenMetrics } from '../requests/request-headers.ts';
import { SerializedJson } from '../responses/serialized-json.ts';
import { viewCluster } from './clusters.ts';

const NO_HOSTS: Readonly<Record<HostStatus, number>> = {
  investigating: 0,
  bootstrapping: 0,
  active: 0,
  disassociated: 0,
  failed: 0,
  unreachable: 0,
};

function viewOverview(overview: OverviewRecord): Static<typeof Overview> {
  const { hosts, inMaintenance, clusters, openOperations } = overview;
  const byStatus = { ...NO_HOSTS, ...hosts };
  return {
    hosts: {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      in_maintenance: inMaintenance,
      by_status: byStatus,
    },
    clusters: clusters.map(viewCluster),
    operations: { in_process: openOperations },
  };
}

/** Creates the value at the first call. */
function lazy<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

type Routes = typeof serviceRoutes & typeof overviewRoutes & typeof identityRoutes & typeof metricsRoutes;

export const serviceHandlers = (
  app: App,
  version: string,
  routes: Readonly<Record<string, RouteDefinition>>,
  { render }: HttpMetrics,
): HandlersFor<Routes> => {
  // Created at the first request, because they would delay each start by 50 ms.
  const page = lazy(() => renderDocsPage(buildInlineDocument(version, app.driverTypes, routes)));
  // Serialized once: clients that do not read the response cannot use much memory.
  const serializedDocument = lazy(() =>
    SerializedJson.fromValue(buildOpenApiDocument(version, app.driverTypes, routes)),
  );
  return {
    getLiveness: async () => ({ body: { status: 'ok' } }),
    getReadiness: async () => (await app.checkReadiness()) ?? { body: { status: 'ready' } },
    getOpenApi: async () => ({ body: serializedDocument() }),
    getDocs: async () => {
      const { html, contentSecurityPolicy } = page();
      return { body: html, headers: { 'content-security-policy': contentSecurityPolicy } };
    },
    getOverview: async () => ({ body: viewOverview(await app.readOverview()) }),
    getHealthChecks: async () => {
      const { intervalS, lagS, ...report } = await app.healthReport();
      return { body: { ...report, interval_s: intervalS, lag_s: lagS } };
    },
    getIdentity: async () => ({ body: { public_key: await app.readPublicKey() } }),
    getMetrics: async ({ accept }) => {
      const headers = { vary: 'accept' };
      return prefersOpenMetrics(accept)
        ? { body: await render('openmetrics'), mediaType: OPEN_METRICS, headers }
        : { body: await render('prometheus'), headers };
    },
  };
};
