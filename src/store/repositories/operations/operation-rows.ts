import type { Selectable, Selection } from 'kysely';
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

export const OPERATION_COLUMNS = [
  'operations.sequence',
  'operations.id',
  'operations.kind',
  'operations.cluster',
  'operations.version',
  'operations.policy_json',
  'operations.state',
  'operations.pause_reason as pause',
  'operations.problem',
  'operations.host_count as hostCount',
  'operations.acknowledged_failures as acknowledgedFailures',
  'operations.accepted_failures as acceptedFailures',
  'operations.assessment',
  'operations.blocked_since as blockedSinceMs',
  'operations.ignored_hosts_json',
  'operations.started_by as startedBy',
  'operations.started_at as startedAt',
  'operations.finished_at as finishedAt',
  'operations.is_cluster_removed',
  'operations.trace',
] as const;

type OperationRow = Selection<Tables, 'operations', (typeof OPERATION_COLUMNS)[number]>;

/** With the sequence number, which is higher for newer operations. */
export interface StoredOperation extends ClusterOperation {
  readonly sequence: number;
}

export const toOperation = ({
  policy_json,
  ignored_hosts_json,
  is_cluster_removed,
  trace,
  ...columns
}: OperationRow): StoredOperation => ({
  ...columns,
  policy: policyJson.parse(policy_json),
  ignoredHosts: JSON.parse(ignored_hosts_json),
  isClusterRemoved: is_cluster_removed === 1,
  ...(trace !== '' && { trace }),
});

/** With the policy of the request, to recognise a repeated request. */
export interface RequestedOperation extends StoredOperation {
  readonly policyInput: PolicyInput;
}

export const toRequestedOperation = ({
  policy_input_json,
  ...row
}: OperationRow & { policy_input_json: string }): RequestedOperation => ({
  ...toOperation(row),
  policyInput: policyInputJson.parse(policy_input_json),
});

type OperationHostRow = Selectable<Tables['operation_hosts']>;

export const OPERATION_HOST_COLUMNS = [
  'operation',
  'host',
  'enrolment',
  'position',
  'is_control_plane',
  'phase',
  'is_staged',
  'is_unreachable',
  'abort_reason',
  'holds_slot',
  'is_cordoned',
  'attempt',
  'skip_reason',
  'awaits_clearance',
  'cleared_until',
  'is_already_there',
  'problem',
  'stage_result_json',
  'phases_json',
  'started_at',
  'finished_at',
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
  awaitsRebootClearance: row.awaits_clearance === 1,
  clearedUntilMs: row.cleared_until,
  wasNoop: row.is_already_there === 1,
  problem: row.problem,
  stageResult: JSON.parse(row.stage_result_json),
  phases: JSON.parse(row.phases_json),
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

const toInteger = (value: boolean): number => (value ? 1 : 0);

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
  awaits_clearance: toInteger(operationHost.awaitsRebootClearance),
  cleared_until: operationHost.clearedUntilMs,
  is_already_there: toInteger(operationHost.wasNoop),
  problem: operationHost.problem,
  stage_result_json: JSON.stringify(operationHost.stageResult),
  phases_json: JSON.stringify(operationHost.phases),
  started_at: operationHost.startedAt,
  finished_at: operationHost.finishedAt,
});
