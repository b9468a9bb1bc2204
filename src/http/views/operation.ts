import type { DryRun as DryRunRecord } from '../../app/operations/dry-run.ts';
import type {
  OperationHostDetails,
  OperationRecord,
  OperationReport as OperationReportRecord,
  OperationSummary as OperationSummaryRecord,
} from '../../app/operations/read-operations.ts';
import type { DeployRecord, DryRun, RestartRecord, UpgradeRecord } from '../../contract/routes/cluster-operations.ts';
import type { OperationHostView, OperationReport, OperationSummary } from '../../contract/routes/operations.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { pausedBy, recordStatusOf } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { displayState, isBlocked, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import type { PhaseGroup } from '../../domain/vocabulary.ts';
import { HOST_PHASES } from '../../domain/vocabulary.ts';
import type { View } from '../request-context.ts';
import { viewPolicy } from './policy.ts';

function viewCounts({ operation, counts }: OperationSummaryRecord) {
  const countInGroup = (group: PhaseGroup) =>
    HOST_PHASES.filter(phase => phaseGroupOf(phase) === group).reduce((sum, phase) => sum + (counts[phase] ?? 0), 0);
  return {
    total: operation.hostCount,
    pending: countInGroup('waiting'),
    preparing: countInGroup('preparing'),
    queued: counts.queued ?? 0,
    in_flight: countInGroup('in_flight'),
    done: counts.done ?? 0,
    failed: counts.failed ?? 0,
    skipped: counts.skipped ?? 0,
  };
}

export function viewOperation(summary: OperationSummaryRecord): View<typeof OperationSummary> {
  const { operation, can } = summary;
  return {
    id: operation.id,
    kind: operation.kind,
    cluster: operation.cluster,
    version: operation.kind === 'deploy' ? operation.version : undefined,
    status: recordStatusOf(operation),
    state: operation.state,
    paused_by: operation.pause && pausedBy(operation.pause),
    problem: operation.problem,
    counts: viewCounts(summary),
    started_by: operation.startedBy,
    started_at: operation.startedAt,
    finished_at: operation.finishedAt,
    can,
  };
}

const toDetail = ({ phase, problem, isStaged }: OperationHost): string => {
  if (phase === 'failed') return '';
  return problem || (isStaged ? 'waiting for a slot' : '');
};

const viewHostFields = (host: OperationHost, hostname = '') => ({
  address: host.host,
  hostname,
  state: displayState(host),
  phase: host.phase,
  attempt: host.attempt,
  position: host.position,
  control_plane: host.isControlPlane,
  phases: host.phases,
  started_at: host.startedAt,
  finished_at: host.finishedAt,
  error: host.phase === 'failed' ? host.problem : null,
  detail: toDetail(host),
  already_there: host.wasNoop,
  skip_reason: host.skipReason,
  cordoned: host.isCordoned,
});

const viewOutages = (outages: readonly Outage[], hostnames: ReadonlyMap<Address, string>) =>
  outages.map(({ host, reason, detail, since }) => ({
    address: host,
    hostname: hostnames.get(host) ?? '',
    reason,
    detail,
    since,
  }));

export function viewReport(report: OperationReportRecord): View<typeof OperationReport> {
  const { maxUnavailable, unavailable, maxFailures, failed } = report.budget;
  const outputByHost = Map.groupBy(report.output, ({ host }) => host);
  return {
    ...viewOperation(report),
    policy: viewPolicy(report.operation.policy),
    budget: { max_unavailable: maxUnavailable, unavailable, max_failures: maxFailures, failed },
    unavailable_hosts: viewOutages(report.outages, report.hostnames),
    hosts: report.hosts.items.map(host => ({
      ...viewHostFields(host, report.hostnames.get(host.host)),
      output: (outputByHost.get(host.host) ?? []).map(({ step, attempt, at, output }) => ({
        step,
        attempt,
        at,
        last_lines: output,
      })),
    })),
  };
}

export const viewOperationHost = ({
  host,
  hostname,
  output,
}: OperationHostDetails): View<typeof OperationHostView> => ({
  ...viewHostFields(host, hostname),
  output: output.map(({ host: _, ...stepOutput }) => stepOutput),
});

const viewListEntry = (host: OperationHost) => ({
  address: host.host,
  state: displayState(host),
  started_at: host.startedAt,
  finished_at: host.finishedAt,
  error: host.phase === 'failed' || isBlocked(host) ? host.problem : null,
});

const viewRecordFields = ({ operation, inProcess }: OperationRecord) => ({
  status: recordStatusOf(operation),
  in_process: inProcess.map(viewListEntry),
  started_at: operation.startedAt,
  finished_at: operation.finishedAt,
});

export const viewDeploy = (record: OperationRecord): View<typeof DeployRecord> => ({
  ...viewRecordFields(record),
  version: record.operation.version,
  deployed: record.done.map(viewListEntry),
});

export const viewUpgrade = (record: OperationRecord): View<typeof UpgradeRecord> => ({
  ...viewRecordFields(record),
  upgraded: record.done.map(viewListEntry),
});

export const viewRestart = (record: OperationRecord): View<typeof RestartRecord> => ({
  ...viewRecordFields(record),
  restarted: record.done.map(viewListEntry),
});

export const viewDryRun = ({
  kind,
  cluster,
  version,
  policy,
  hosts,
  wouldStart,
  members,
  wouldFail,
  estimatedDurationMs,
  blockedBy,
  hostnames,
  detail,
}: DryRunRecord): View<typeof DryRun> => ({
  dry_run: true,
  kind,
  cluster,
  version: kind === 'deploy' ? version : undefined,
  policy: viewPolicy(policy, { isDryRun: true }),
  hosts: hosts.map(({ host, position, isControlPlane, commands, problem }) => ({
    address: host.address,
    hostname: hostnames.get(host.address) ?? '',
    position,
    control_plane: isControlPlane,
    state: { status: host.status, reason: host.reason, os: host.os },
    commands,
    problem: problem || undefined,
  })),
  members,
  estimated_duration_s: estimatedDurationMs === undefined ? null : Math.round(estimatedDurationMs / 1000),
  would_start: wouldStart,
  would_fail: wouldFail,
  blocked_by: viewOutages(blockedBy, hostnames),
  detail,
});
