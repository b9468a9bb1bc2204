// The records of the API, with the names that they have in the OpenAPI document.

import type { Static } from 'typebox';
import type { Maintenance as MaintenanceSchema, Problem as ProblemSchema } from '../contract/fields.ts';
import type { Policy as PolicySchema } from '../contract/policy.ts';
import type { Account as AccountSchema } from '../contract/routes/accounts.ts';
import type { DryRun } from '../contract/routes/cluster-operations.ts';
import type { Cluster as ClusterSchema } from '../contract/routes/clusters.ts';
import type { DriverRecord as DriverRecordSchema } from '../contract/routes/driver-records.ts';
import type { AuditEntry as AuditEntrySchema } from '../contract/routes/events.ts';
import type { HostStatusReport as HostStatusReportSchema } from '../contract/routes/host-management.ts';
import type { HostEntry, Host as HostSchema } from '../contract/routes/hosts.ts';
import type {
  OperationHostView,
  OperationReport as OperationReportSchema,
  OperationSummary,
} from '../contract/routes/operations.ts';
import type { Token } from '../contract/routes/tokens.ts';
import type { Webhook as WebhookSchema } from '../contract/routes/webhooks.ts';

export type Account = Static<typeof AccountSchema>;
export type AuditEntry = Static<typeof AuditEntrySchema>;
export type Cluster = Static<typeof ClusterSchema>;
export type DriverRecord = Static<typeof DriverRecordSchema>;
export type EnrolmentToken = Static<typeof Token>;
export type Host = Static<typeof HostSchema>;
export type HostListEntry = Static<typeof HostEntry>;
export type HostStatusReport = Static<typeof HostStatusReportSchema>;
export type Maintenance = Static<typeof MaintenanceSchema>;
export type Operation = Static<typeof OperationSummary>;
export type OperationHostReport = Static<typeof OperationHostView>;
export type OperationPlan = Static<typeof DryRun>;
export type OperationReport = Static<typeof OperationReportSchema>;
export type Policy = Static<typeof PolicySchema>;
export type Problem = Static<typeof ProblemSchema>;
export type Webhook = Static<typeof WebhookSchema>;
