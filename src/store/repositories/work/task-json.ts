import type { DriverRecord } from '../../../domain/driver-record.ts';
import type { Task, TaskState } from '../../../domain/tasks/task.ts';
import type { StoredKeys } from '../../stored-json.ts';
import { jsonColumn } from '../../stored-json.ts';
import { POLICY_KEYS } from '../operations/policy-json.ts';

type FieldOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Field extends PropertyKey> = Union extends { readonly [Name in Field]?: infer Value }
  ? Value
  : never;

/** The fields of all kinds of tasks that have no column of their own. */
export type TaskDetails = {
  readonly [Field in Exclude<FieldOf<Task>, 'kind' | 'host' | 'enrolment'>]?: ValueOf<Task, Field>;
};

const DRIVER_RECORD_KEYS: StoredKeys<DriverRecord> = {
  name: 'name',
  type: 'type',
  options: 'options',
  sealedOptions: 'sealed_options',
  revision: 'revision',
};

/** `details_json`. */
export const taskDetailsJson = jsonColumn<TaskDetails>({
  cluster: 'cluster',
  network: { key: 'network', within: DRIVER_RECORD_KEYS },
  containerManager: { key: 'container_manager', within: DRIVER_RECORD_KEYS },
  mayBeNode: 'is_node',
  operation: 'operation',
  operationKind: 'operation_kind',
  attempt: 'attempt',
  version: 'version',
  policy: { key: 'policy', within: POLICY_KEYS },
  stageResult: 'stage_result',
  trace: 'trace',
});

/** `state_json`; `{}` for a task that has not started. */
export const taskStateJson = jsonColumn<Partial<TaskState>>({
  done: 'done',
  step: 'step',
  attempts: 'attempts',
  jobRound: 'job_round',
  retryTimeMs: 'retry_time_ms',
  problem: 'problem',
  suppressedAttempts: 'suppressed_attempts',
  stepState: 'step_state',
  rollback: {
    key: 'rollback',
    within: {
      fromStep: 'from_step',
      reason: { key: 'reason', within: { kind: 'kind', holdsSlot: 'holds_slot' } },
      problem: 'problem',
    },
  },
});
