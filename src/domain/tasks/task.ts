import type { TraceContext } from '../../lib/tracer.ts';
import type { Address } from '../addresses/address.ts';
import type { DriverRecord } from '../driver-record.ts';
import type { RecordName } from '../record-name.ts';
import type { HostPolicy } from '../rollout/policy.ts';
import type { OperationKind, SkipReason, TaskKind } from '../vocabulary.ts';

interface HostTaskFields {
  readonly host: Address;
  /** Which enrolment of the host it is for: a later one at the same address is another host. */
  readonly enrolment: string;
  /** Of the request that asked for it, where that was traced. */
  readonly trace?: TraceContext;
}

/** The part of one host in an operation on its cluster. All that it depends on is in it, as it was when the operation began. */
interface OperationTaskFields extends HostTaskFields {
  readonly operation: string;
  readonly operationKind: OperationKind;
  readonly cluster: RecordName;
  /** Counts from 1; a retry is another. */
  readonly attempt: number;
  /** What is deployed; `''` for the other kinds. */
  readonly version: string;
  readonly policy: HostPolicy;
}

/**
 * Work that a change leaves to be done, saved in the transaction of the change.
 * `leave` carries what the host has to be taken out of, since the records may be gone when its turn comes.
 */
export type Task =
  | ({ readonly kind: 'bootstrap' } & HostTaskFields)
  | ({ readonly kind: 'join'; readonly cluster: RecordName } & HostTaskFields)
  | ({
      readonly kind: 'leave';
      readonly cluster: RecordName;
      readonly network: DriverRecord | null;
      readonly containerManager: DriverRecord | null;
      /** Whether the host can be a node of it. */
      readonly mayBeNode: boolean;
    } & HostTaskFields)
  /** What an operation does on a host before it disturbs it. */
  | ({ readonly kind: 'stage' } & OperationTaskFields)
  /** The rest, once it has a slot. */
  | ({ readonly kind: 'rollout'; readonly stageResult: StepResult } & OperationTaskFields);

export type TaskOf<Kind extends TaskKind> = Extract<Task, { kind: Kind }>;

/** What a step came to, for later steps and for people; never a secret. */
export type StepResult = Readonly<Record<string, string | number | boolean | null>>;

/** What a step that is done came to, by name; `undefined`: it is not done, or has not said. */
export const stepResultValue = (
  { done }: Pick<TaskState, 'done'>,
  step: string,
  name: string,
): StepResult[string] | undefined => done[step]?.[name];

/** How far work has come; saved after each step. */
export interface TaskState {
  /** What the steps that are done came to, by name. */
  readonly done: Readonly<Record<string, StepResult>>;
  /** The step that is tried and did not succeed yet; `''`: none. */
  readonly step: string;
  /** How often it was tried. */
  readonly attempts: number;
  /**
   * How often what it began on the host has ended badly. A try that was cut off goes on in the same round; one whose command ended
   * begins another, so that an end which was seen and not saved is seen again, and nothing is repeated.
   */
  readonly jobRound: number;
  /** How long it was tried and waited for in between, in milliseconds. */
  readonly retryTimeMs: number;
  /** Why it did not succeed the last time. */
  readonly problem: string;
  /** How many tries in a row were left out of the trace, since each ended as the one before. */
  readonly suppressedAttempts: number;
  /** What the step has to know when it is tried again. */
  readonly stepState: StepResult;
  /** Set once it goes back instead of on. */
  readonly rollback: Rollback | null;
}

/** Work that does not come to its end puts in order what it would leave behind. */
export interface Rollback {
  /** The step that it had come to. */
  readonly fromStep: string;
  readonly reason: { readonly kind: 'failed'; readonly holdsSlot: boolean } | SkipReason;
  readonly problem: string;
}

export const INITIAL_TASK_STATE: TaskState = {
  ...{
    done: {},
    step: '',
    attempts: 0,
    jobRound: 0,
    retryTimeMs: 0,
    problem: '',
    suppressedAttempts: 0,
    stepState: {},
  },
  rollback: null,
};

/** Work that belongs to an operation on a cluster. */
export type OperationTask = TaskOf<'stage' | 'rollout'>;

export const isOperationTask = (task: Task): task is OperationTask =>
  task.kind === 'stage' || task.kind === 'rollout';

export interface SavedTask {
  readonly id: number;
  readonly task: Task;
  readonly state: TaskState;
}
