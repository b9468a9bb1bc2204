// The API contract: one definition per route. Of our modules it imports only the vocabulary and the defaults of the domain.
// A new route does not compile until `http/routes/` implements it. The client, the OpenAPI document and the roles test include it automatically.

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
