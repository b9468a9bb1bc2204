import type { Selectable } from 'kysely';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import type { Policy, PolicyInput } from '../../../domain/rollout/policy.ts';
import type { StoredKeys } from '../../json-column.ts';
import { jsonColumn } from '../../json-column.ts';
import type { Tables } from '../../tables/tables.ts';

/** The keys are the same as in the API. */
export const POLICY_KEYS: StoredKeys<PolicyInput> = {
  maxUnavailable: 'max_unavailable',
  canary: 'canary',
  ramp: 'ramp',
  unhealthy: 'unhealthy',
  maxExcluded: 'max_excluded',
  wait: 'wait',
  maxFailures: 'max_failures',
  onFailure: 'on_failure',
  hosts: 'hosts',
  labels: 'labels',
  order: 'order',
  stageParallel: 'stage_parallel',
  drain: { key: 'drain', within: { timeoutS: 'timeout_s', onTimeout: 'on_timeout' } },
  reboot: 'reboot',
  check: 'check',
  timeouts: {
    key: 'timeouts',
    within: { stageS: 'stage', applyS: 'apply', rebootS: 'reboot', readyS: 'ready' },
  },
  minHealthyS: 'min_healthy_s',
  window: { key: 'window', within: { days: 'days', start: 'start', end: 'end', zone: 'zone' } },
  isDryRun: 'dry_run',
};

/** `policy_json`: the effective policy of an operation. */
export const policyJson = jsonColumn<Policy>(POLICY_KEYS);

/** `policy_input_json`: the part of a policy that a request or a cluster specifies. */
export const policyInputJson = jsonColumn<PolicyInput>(POLICY_KEYS);

type OperationRow = Selectable<Tables['operations']>;
type OperationHostRow = Selectable<Tables['operation_hosts']>;

export const OPERATION_COLUMNS = [
  ...(['sequence', 'id', 'kind', 'cluster', 'version', 'policy_json', 'state', 'pause_reason', 'problem'] as const),
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

/** With the sequence number, which is higher for newer operations. */
export interface StoredOperation extends ClusterOperation {
  readonly sequence: number;
}

export const toOperation = (row: Pick<OperationRow, (typeof OPERATION_COLUMNS)[number]>): StoredOperation => ({
  sequence: row.sequence,
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

export const OPERATION_HOST_COLUMNS = [
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
  ...(['is_already_there', 'problem', 'stage_result_json', 'phases_json', 'started_at', 'finished_at'] as const),
] as const;

export const toOperationHost = (row: OperationHostRow): OperationHost => ({
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

const toInteger = (value: boolean): number => (value ? 1 : 0);

/** The columns that can change. */
export const toOperationHostColumns = (operationHost: OperationHost) => ({
  phase: operationHost.phase,
  is_control_plane: toInteger(operationHost.isControlPlane),
  is_staged: toInteger(operationHost.isStaged),
  is_unreachable: toInteger(operationHost.isUnreachable),
  abort_reason: operationHost.abortReason,
  holds_slot: toInteger(operationHost.holdsSlot),
  is_cordoned: toInteger(operationHost.isCordoned),
  attempt: operationHost.attempt,
  skip_reason: operationHost.skipReason,
  asks_to_reboot: toInteger(operationHost.asksToReboot),
  cleared_until: operationHost.clearedUntilMs,
  is_already_there: toInteger(operationHost.wasNoop),
  problem: operationHost.problem,
  stage_result_json: JSON.stringify(operationHost.stageResult),
  phases_json: JSON.stringify(operationHost.phases),
  started_at: operationHost.startedAt,
  finished_at: operationHost.finishedAt,
});
