// The contract: what goes over the wire, one row per route. It imports nothing of ours but the vocabulary.
// A new row does not compile until `http/routes/` serves it, and joins the client, the OpenAPI document and the test of roles.

import { accountRoutes } from './routes/accounts.ts';
import { auditRoutes } from './routes/audit.ts';
import { bulkEnrolmentRoutes } from './routes/bulk-enrolment.ts';
import { clusterOperationRoutes } from './routes/cluster-operations.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { driverRecordRoutes } from './routes/driver-records.ts';
import { driverRoutes } from './routes/drivers.ts';
import { eventRoutes } from './routes/events.ts';
import { holdRoutes } from './routes/hold.ts';
import { hostAccessRoutes } from './routes/host-access.ts';
import { hostCareRoutes } from './routes/host-care.ts';
import { hostRoutes } from './routes/hosts.ts';
import { identityRoutes } from './routes/identity.ts';
import { inventoryRoutes } from './routes/inventory.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { operationRoutes } from './routes/operations.ts';
import { overviewRoutes } from './routes/overview.ts';
import { serviceRoutes } from './routes/service.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { userDataRoutes } from './routes/user-data.ts';
import { watchRoutes } from './routes/watch.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const routes = {
  ...clusterRoutes,
  ...clusterOperationRoutes,
  ...operationRoutes,
  ...holdRoutes,
  ...driverRecordRoutes,
  ...driverRoutes,
  ...hostRoutes,
  ...bulkEnrolmentRoutes,
  ...hostAccessRoutes,
  ...hostCareRoutes,
  ...inventoryRoutes,
  ...overviewRoutes,
  ...watchRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...tokenRoutes,
  ...userDataRoutes,
  ...identityRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...metricsRoutes,
  ...serviceRoutes,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;
