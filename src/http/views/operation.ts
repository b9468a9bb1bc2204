import type { Static } from 'typebox';
import type {
  OperationHostDetails as HostRecord,
  OperationReport as Report,
  OperationSummary as Summary,
} from '../../app/operations/read-operations.ts';
import type {
  OperationHostView,
  OperationReport,
  OperationSummary,
} from '../../contract/routes/operations.ts';
import { pausedBy, recordStatusOf } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { displayState, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import type { PhaseGroup } from '../../domain/vocabulary.ts';
import { HOST_PHASES } from '../../domain/vocabulary.ts';
import { viewPolicy } from './policy.ts';

function viewCounts({ operation, counts }: Summary) {
  const inPart = (part: PhaseGroup) =>
    HOST_PHASES.filter(phase => phaseGroupOf(phase) === part).reduce(
      (sum, phase) => sum + (counts[phase] ?? 0),
      0,
    );
  return {
    total: operation.hostCount,
    pending: inPart('waiting'),
    preparing: inPart('preparing'),
    in_flight: inPart('in_flight'),
    done: counts.done ?? 0,
    failed: counts.failed ?? 0,
    skipped: counts.skipped ?? 0,
  };
}

export function viewOperation(summary: Summary): Static<typeof OperationSummary> {
  const { operation, can } = summary;
  return {
    id: operation.id,
    kind: operation.kind,
    cluster: operation.cluster,
    ...(operation.kind === 'deploy' && { version: operation.version }),
    status: recordStatusOf(operation),
    state: operation.state,
    paused_by: operation.pause && pausedBy(operation.pause),
    problem: operation.problem,
    counts: viewCounts(summary),
    started_by: operation.startedBy,
    started_at: operation.startedAt,
    finished_at: operation.finishedAt,
    can: [...can],
  };
}

const detailOf = ({ phase, problem, isStaged }: OperationHost): string => {
  if (phase === 'failed') return '';
  return problem || (isStaged ? 'staged; waiting for a slot' : '');
};

const viewPlanned = (host: OperationHost) => ({
  address: host.host,
  state: displayState(host),
  phase: host.phase,
  attempt: host.attempt,
  position: host.position,
  control_plane: host.isControlPlane,
  phases: [...host.phases],
  started_at: host.startedAt,
  finished_at: host.finishedAt,
  error: host.phase === 'failed' ? host.problem : null,
  detail: detailOf(host),
  already_there: host.wasNoop,
  skip_reason: host.skipReason,
  cordoned: host.isCordoned,
});

export const viewOutage = ({ host, reason, detail, since }: Outage) => ({
  address: host,
  reason,
  detail,
  since,
});

const viewBudget = ({ maxUnavailable, unavailable, maxFailures, failed }: Report['budget']) => ({
  max_unavailable: maxUnavailable,
  unavailable,
  max_failures: maxFailures,
  failed,
});

export function viewReport(report: Report): Static<typeof OperationReport> {
  const said = Map.groupBy(report.output, ({ host }) => host);
  return {
    ...viewOperation(report),
    policy: viewPolicy(report.operation.policy),
    budget: viewBudget(report.budget),
    unavailable_hosts: report.outages.map(viewOutage),
    hosts: report.hosts.items.map(host => ({
      ...viewPlanned(host),
      output: (said.get(host.host) ?? []).map(({ step, attempt, at, output }) => ({
        ...{ step, attempt, at },
        last_lines: output,
      })),
    })),
  };
}

export const viewOperationHost = ({ host, output }: HostRecord): Static<typeof OperationHostView> => ({
  ...viewPlanned(host),
  output: output.map(({ host: _, ...said }) => said),
});
