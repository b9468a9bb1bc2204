// Imports only the vocabulary and the defaults of the domain. A new route does not compile until `http/routes/` has a
// handler for it. The client and the OpenAPI document include it automatically.

import { accountRoutes, sessionRoutes } from './routes/accounts.ts';
import { clusterOperationRoutes } from './routes/cluster-operations.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { driverRecordRoutes, driverRoutes } from './routes/driver-records.ts';
import { auditRoutes, eventRoutes } from './routes/events.ts';
import { hostAccessRoutes } from './routes/host-access.ts';
import { hostManagementRoutes } from './routes/host-management.ts';
import { bulkEnrolmentRoutes, hostRoutes } from './routes/hosts.ts';
import { inventoryRoutes } from './routes/inventory.ts';
import { operationRoutes } from './routes/operations.ts';
import { identityRoutes, metricsRoutes, overviewRoutes, serviceRoutes } from './routes/service.ts';
import { tokenRoutes, userDataRoutes } from './routes/tokens.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const routes = {
  ...clusterRoutes,
  ...clusterOperationRoutes,
  ...operationRoutes,
  ...driverRecordRoutes,
  ...driverRoutes,
  ...hostRoutes,
  ...bulkEnrolmentRoutes,
  ...hostAccessRoutes,
  ...hostManagementRoutes,
  ...inventoryRoutes,
  ...overviewRoutes,
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
