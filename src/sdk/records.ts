// The records of the API, with the names that they have in the OpenAPI document.

import type { Static } from 'typebox';
import type {
  HostStatus as HostStatusSchema,
  Maintenance as MaintenanceSchema,
  OperationKind as OperationKindSchema,
  OperationState as OperationStateSchema,
  Outage as OutageSchema,
  Problem as ProblemSchema,
  Role as RoleSchema,
} from '../contract/fields.ts';
import type { PolicyInput as PolicyInputSchema, Policy as PolicySchema } from '../contract/policy.ts';
import type { BodyOf } from '../contract/route-definition.ts';
import type { Account as AccountSchema } from '../contract/routes/accounts.ts';
import type { DryRun } from '../contract/routes/cluster-operations.ts';
import type { Cluster as ClusterSchema, clusterRoutes } from '../contract/routes/clusters.ts';
import type { DriverRecord as DriverRecordSchema } from '../contract/routes/driver-records.ts';
import type { AuditEntry as AuditEntrySchema } from '../contract/routes/events.ts';
import type { HostStatusReport as HostStatusReportSchema } from '../contract/routes/host-management.ts';
import type { HostEntry, Host as HostSchema, hostRoutes } from '../contract/routes/hosts.ts';
import type {
  OperationHostView,
  OperationReport as OperationReportSchema,
  OperationSummary,
} from '../contract/routes/operations.ts';
import type { Overview as OverviewSchema } from '../contract/routes/service.ts';
import type { Token } from '../contract/routes/tokens.ts';
import type { Webhook as WebhookSchema } from '../contract/routes/webhooks.ts';

export type Account = Static<typeof AccountSchema>;
export type AuditEntry = Static<typeof AuditEntrySchema>;
export type Cluster = Static<typeof ClusterSchema>;
export type ClusterInput = BodyOf<(typeof clusterRoutes)['putCluster']>;
export type DriverRecord = Static<typeof DriverRecordSchema>;
export type EnrolmentToken = Static<typeof Token>;
export type Host = Static<typeof HostSchema>;
export type HostInput = BodyOf<(typeof hostRoutes)['putHost']>;
export type HostListEntry = Static<typeof HostEntry>;
export type HostStatus = Static<typeof HostStatusSchema>;
export type HostStatusReport = Static<typeof HostStatusReportSchema>;
export type Maintenance = Static<typeof MaintenanceSchema>;
export type Operation = Static<typeof OperationSummary>;
export type OperationHost = OperationReport['hosts'][number];
export type OperationHostReport = Static<typeof OperationHostView>;
export type OperationKind = Static<typeof OperationKindSchema>;
export type OperationPlan = Static<typeof DryRun>;
export type OperationReport = Static<typeof OperationReportSchema>;
export type OperationState = Static<typeof OperationStateSchema>;
export type Outage = Static<typeof OutageSchema>;
export type Overview = Static<typeof OverviewSchema>;
export type Policy = Static<typeof PolicySchema>;
export type PolicyInput = Static<typeof PolicyInputSchema>;
export type Problem = Static<typeof ProblemSchema>;
export type Role = Static<typeof RoleSchema>;
export type Webhook = Static<typeof WebhookSchema>;
