import type { Selectable } from 'kysely';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import type { Tables } from '../../tables/tables.ts';
import { policyJson } from './policy-json.ts';

type OperationRow = Selectable<Tables['operations']>;
type HostRow = Selectable<Tables['operation_hosts']>;

export const OPERATION_COLUMNS = [
  ...([
    'sequence',
    'id',
    'kind',
    'cluster',
    'version',
    'policy_json',
    'state',
    'pause_reason',
    'problem',
  ] as const),
  ...([
    'host_count',
    'acknowledged_failures',
    'accepted_failures',
    'assessment',
    'blocked_since',
    'ignored_hosts_json',
  ] as const),
  ...(['started_by', 'started_at', 'finished_at', 'is_cluster_removed', 'trace'] as const),
] as const;

/** With its number, by which newer ones are told from older ones. */
export interface NumberedOperation extends ClusterOperation {
  readonly number: number;
}

export const toOperation = (
  row: Pick<OperationRow, (typeof OPERATION_COLUMNS)[number]>,
): NumberedOperation => ({
  number: row.sequence,
  id: row.id,
  kind: row.kind,
  cluster: row.cluster,
  version: row.version,
  policy: policyJson.parse(row.policy_json),
  state: row.state,
  pause: row.pause_reason,
  problem: row.problem,
  hostCount: row.host_count,
  acknowledgedFailures: row.acknowledged_failures,
  acceptedFailures: row.accepted_failures,
  assessment: row.assessment,
  blockedSinceMs: row.blocked_since,
  ignoredHosts: JSON.parse(row.ignored_hosts_json),
  startedBy: row.started_by,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  isClusterDeleted: row.is_cluster_removed === 1,
  ...(row.trace !== '' && { trace: row.trace }),
});

export const HOST_COLUMNS = [
  ...(['operation', 'host', 'enrolment', 'position', 'is_control_plane', 'phase', 'is_staged'] as const),
  ...([
    'is_unreachable',
    'abort_reason',
    'holds_slot',
    'is_cordoned',
    'attempt',
    'skip_reason',
    'asks_to_reboot',
    'cleared_until',
  ] as const),
  ...([
    'is_already_there',
    'problem',
    'stage_result_json',
    'phases_json',
    'started_at',
    'finished_at',
  ] as const),
] as const;

export const toPlannedHost = (row: HostRow): OperationHost => ({
  host: row.host,
  enrolment: row.enrolment,
  position: row.position,
  isControlPlane: row.is_control_plane === 1,
  phase: row.phase,
  isStaged: row.is_staged === 1,
  isUnreachable: row.is_unreachable === 1,
  abortReason: row.abort_reason,
  holdsSlot: row.holds_slot === 1,
  isCordoned: row.is_cordoned === 1,
  attempt: row.attempt,
  skipReason: row.skip_reason,
  asksToReboot: row.asks_to_reboot === 1,
  clearedUntilMs: row.cleared_until,
  wasNoop: row.is_already_there === 1,
  problem: row.problem,
  stageResult: JSON.parse(row.stage_result_json),
  phases: JSON.parse(row.phases_json),
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

const flag = (claim: boolean): number => (claim ? 1 : 0);

/** All that changes of a planned host. */
export const toHostChanges = (planned: OperationHost) => ({
  phase: planned.phase,
  is_control_plane: flag(planned.isControlPlane),
  is_staged: flag(planned.isStaged),
  is_unreachable: flag(planned.isUnreachable),
  abort_reason: planned.abortReason,
  holds_slot: flag(planned.holdsSlot),
  is_cordoned: flag(planned.isCordoned),
  attempt: planned.attempt,
  skip_reason: planned.skipReason,
  asks_to_reboot: flag(planned.asksToReboot),
  cleared_until: planned.clearedUntilMs,
  is_already_there: flag(planned.wasNoop),
  problem: planned.problem,
  stage_result_json: JSON.stringify(planned.stageResult),
  phases_json: JSON.stringify(planned.phases),
  started_at: planned.startedAt,
  finished_at: planned.finishedAt,
});
