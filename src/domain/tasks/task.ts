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
  /** The trace of the request that created the task, if any. */
  readonly trace?: TraceContext;
}

/** The task of one host in an operation. It contains everything it depends on, as of the start of the operation. */
interface OperationTaskFields extends HostTaskFields {
  readonly operation: string;
  readonly operationKind: OperationKind;
  readonly cluster: RecordName;
  /** Starts at 1; each retry adds 1. */
  readonly attempt: number;
  /** The version to deploy; `''` for other kinds. */
  readonly version: string;
  readonly policy: HostPolicy;
}

/**
 * A task is saved in the transaction of the change that requires it. `leave` contains the driver records, because they
 * may be deleted before the task runs.
 */
export type Task =
  | ({ readonly kind: 'bootstrap' } & HostTaskFields)
  | ({ readonly kind: 'join'; readonly cluster: RecordName } & HostTaskFields)
  | ({
      readonly kind: 'leave';
      readonly cluster: RecordName;
      readonly network: DriverRecord | null;
      readonly containerManager: DriverRecord | null;
      /** Whether the host can be a node of the container manager. */
      readonly mayBeNode: boolean;
    } & HostTaskFields)
  /** The preparation of a host, which does not disturb it. */
  | ({ readonly kind: 'stage' } & OperationTaskFields)
  /** The rest of the operation on a host, after it gets a slot. */
  | ({ readonly kind: 'rollout'; readonly stageResult: StepResult } & OperationTaskFields);

export type TaskOf<Kind extends TaskKind> = Extract<Task, { kind: Kind }>;

/** The result of a step, for later steps and for users; never contains a secret. */
export type StepResult = Readonly<Record<string, string | number | boolean | null>>;

/** `undefined` if the step is not done or has no such value. */
export const stepResultValue = (
  { done }: Pick<TaskState, 'done'>,
  step: string,
  name: string,
): StepResult[string] | undefined => done[step]?.[name];

/** The progress of a task, saved after each step. */
export interface TaskState {
  /** Results of the completed steps, by step name. */
  readonly done: Readonly<Record<string, StepResult>>;
  /** The step that has not succeeded yet; `''`: none. */
  readonly step: string;
  /** Number of attempts of this step. */
  readonly attempts: number;
  /**
   * Counts failed job runs of this step and is part of the job names. An interrupted attempt reattaches to the jobs of
   * the same round; a failed job starts a new round, so a result that was read but not saved is read again and no
   * command runs twice.
   */
  readonly jobRound: number;
  /** Time spent in attempts and backoffs of this step. */
  readonly retryTimeMs: number;
  /** Why the last attempt failed. */
  readonly problem: string;
  /** Number of consecutive attempts omitted from the trace, because each ended like the previous one. */
  readonly suppressedAttempts: number;
  /** State that the step keeps between attempts. */
  readonly stepState: StepResult;
  /** Set once the task rolls back. */
  readonly rollback: Rollback | null;
}

/** A task that cannot complete undoes the changes that must not remain. */
export interface Rollback {
  /** The step at which the rollback started. */
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

/** The state of the next step, after a step has ended with this result. */
export const stateAfterStep = ({ done, rollback }: TaskState, step: string, result: StepResult): TaskState => ({
  ...INITIAL_TASK_STATE,
  done: { ...done, [step]: result },
  rollback,
});

/** The state of the first rollback step. */
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
