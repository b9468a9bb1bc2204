import type { TraceContext } from '../../lib/tracer.ts';
import type { Address } from '../addresses/address.ts';
import type { DriverRecord } from '../driver-record.ts';
import type { RecordName } from '../record-name.ts';
import type { HostPolicy } from '../rollout/policy.ts';
import type { AbortReason, OperationKind, TaskKind } from '../vocabulary.ts';

interface HostTaskFields {
  readonly host: Address;
  /** A later enrolment at the same address is a different host. */
  readonly enrolment: string;
  readonly trace?: TraceContext;
}

/** Contains everything the task depends on, as of the start of the operation. */
interface OperationTaskFields extends HostTaskFields {
  readonly operation: string;
  readonly operationKind: OperationKind;
  readonly cluster: RecordName;
  readonly attempt: number;
  /** `''` unless `operationKind` is `deploy`. */
  readonly version: string;
  readonly policy: HostPolicy;
}

/**
 * Saved in the transaction of the change that requires it. `leave` contains the driver records, because they may be
 * deleted before the task runs.
 */
export type Task =
  | ({ readonly kind: 'bootstrap' } & HostTaskFields)
  | ({ readonly kind: 'join'; readonly cluster: RecordName } & HostTaskFields)
  | ({
      readonly kind: 'leave';
      readonly cluster: RecordName;
      readonly network: DriverRecord | null;
      readonly containerManager: DriverRecord | null;
      readonly mayBeNode: boolean;
    } & HostTaskFields)
  /** Does not disturb the host. */
  | ({ readonly kind: 'stage' } & OperationTaskFields)
  /** After the host gets a slot. */
  | ({ readonly kind: 'rollout'; readonly stageResult: StepResult } & OperationTaskFields);

export type TaskOf<Kind extends TaskKind> = Extract<Task, { kind: Kind }>;

/** For later steps and for users; never contains a secret. */
export type StepResult = Readonly<Record<string, string | number | boolean | null>>;

export const stepResultValue = (
  { done }: Pick<TaskState, 'done'>,
  step: string,
  name: string,
): StepResult[string] | undefined => done[step]?.[name];

/** Saved after each step. */
export interface TaskState {
  readonly done: Readonly<Record<string, StepResult>>;
  /** The step that has not succeeded yet; `''`: none. */
  readonly step: string;
  /** The number of attempts of this step. */
  readonly attempts: number;
  /**
   * Part of the job names. An interrupted attempt reattaches to the jobs of the same round; a failed job starts a new
   * round, so a result that was read but not saved is read again and no command runs twice.
   */
  readonly jobRound: number;
  /** In attempts and backoffs of this step. */
  readonly retryTimeMs: number;
  readonly problem: string;
  /** Consecutive attempts omitted from the trace, because each ended like the previous one. */
  readonly suppressedAttempts: number;
  /** Kept between attempts of the step. */
  readonly stepState: StepResult;
  readonly rollback: Rollback | null;
}

/** Undoes the changes that must not remain. */
export interface Rollback {
  readonly fromStep: string;
  readonly reason: { readonly kind: 'failed'; readonly holdsSlot: boolean } | AbortReason;
  readonly problem: string;
}

export const INITIAL_TASK_STATE: TaskState = {
  done: {},
  step: '',
  attempts: 0,
  jobRound: 0,
  retryTimeMs: 0,
  problem: '',
  suppressedAttempts: 0,
  stepState: {},
  rollback: null,
};

export const stateAfterStep = ({ done, rollback }: TaskState, step: string, result: StepResult): TaskState => ({
  ...INITIAL_TASK_STATE,
  done: { ...done, [step]: result },
  rollback,
});

export const stateAtRollback = ({ done }: TaskState, rollback: Rollback): TaskState => ({
  ...INITIAL_TASK_STATE,
  done,
  rollback,
});

export type OperationTask = TaskOf<'stage' | 'rollout'>;

export const isOperationTask = (task: Task): task is OperationTask => task.kind === 'stage' || task.kind === 'rollout';

export interface SavedTask {
  readonly id: number;
  readonly task: Task;
  readonly state: TaskState;
}
