// The contract: what goes over the wire, one row per route. It imports nothing of ours but the vocabulary.
// A new row does not compile until `http/routes/` serves it, and joins the client, the OpenAPI document and the test of roles.

import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { bulkEnrolmentRoutes } from './bulk-enrolment.ts';
import { clusterOperationRoutes } from './cluster-operations.ts';
import { clusterRoutes } from './clusters.ts';
import { driverRecordRoutes } from './driver-records.ts';
import { driverRoutes } from './drivers.ts';
import { eventRoutes } from './events.ts';
import { holdRoutes } from './hold.ts';
import { hostAccessRoutes } from './host-access.ts';
import { hostCareRoutes } from './host-care.ts';
import { hostRoutes } from './hosts.ts';
import { identityRoutes } from './identity.ts';
import { inventoryRoutes } from './inventory.ts';
import { metricsRoutes } from './metrics.ts';
import { operationRoutes } from './operations.ts';
import { overviewRoutes } from './overview.ts';
import { serviceRoutes } from './service.ts';
import { sessionRoutes } from './sessions.ts';
import { tokenRoutes } from './tokens.ts';
import { userDataRoutes } from './user-data.ts';
import { watchRoutes } from './watch.ts';
import { webhookRoutes } from './webhooks.ts';

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
