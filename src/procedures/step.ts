// A task is an ordered list of named steps. Every step is idempotent, because a server can crash after running it and
// before saving the result. A step talks to the host through its connection; it does not write to the store and does
// not sleep. All results are in its outcome, so that they are saved together with the step.

import type { Argv, CommandResult, HostQuery } from '../domain/command.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { RetryPolicy } from '../domain/tasks/retry-policy.ts';
import type { Rollback, StepResult, Task, TaskState } from '../domain/tasks/task.ts';
import type { TransportFailure } from '../domain/transport-failure.ts';
import type { AbortReason, HostPhase } from '../domain/vocabulary.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Network } from '../drivers/network/network.ts';
import type { OsRegistry } from '../drivers/os/os-driver.ts';
import type { RunOptions as TransportRunOptions } from '../drivers/transport/transport.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { FinishedJob } from './jobs/job-poll.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly result: StepResult; readonly hostUpdate: HostUpdate }
  /** The step can succeed later. `restartsJobs`: its job has ended, so the next attempt starts new jobs. */
  | {
      readonly kind: 'retry';
      readonly problem: ReasonText;
      readonly restartsJobs: boolean;
      readonly isUnresponsive: boolean;
      readonly awaitsRebootClearance?: boolean;
      readonly stepState?: StepResult;
    }
  /** Nothing has failed. The step is repeated after the delay until its deadline. */
  | {
      readonly kind: 'waiting';
      readonly delayMs: number;
      readonly stepState: StepResult;
      /** Shown to users; `''` if nothing is wrong. */
      readonly problem: ReasonText | '';
      readonly problemAtDeadline: ReasonText;
    }
  /** The remaining steps are not needed. */
  | { readonly kind: 'noop'; readonly hostUpdate: HostUpdate }
  /** The step was asked to abort and has made no change. */
  | { readonly kind: 'aborted'; readonly reason: AbortReason }
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly hostUpdate: HostUpdate };

/** Secrets must be passed to a host only as `input`. */
export type RunOptions = Omit<TransportRunOptions, 'signal' | 'mayProceed'>;

export interface HostConnection {
  hostKey(): Promise<string | TransportFailure>;
  run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure>;
  /** `undefined` if the output cannot be parsed. */
  query<T>(hostQuery: HostQuery<T>, options: RunOptions): Promise<T | TransportFailure | undefined>;
}

/** `H` includes `null` for tasks that continue after their host was removed. */
export interface StepContext<T extends Task = Task, H extends Host | null = Host> {
  readonly task: T;
  readonly host: H;
  readonly connection: HostConnection;
  readonly state: Pick<TaskState, 'done' | 'stepState' | 'jobRound' | 'retryTimeMs'>;
  /** Prefix of the job names of this round, so that a retry finds the jobs of the previous attempt. */
  readonly jobPrefix: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Time of the store. Saved times must use it, because other servers compare them. */
  readonly nowMs: number;
  readonly os: OsRegistry;
  readonly hasPinnedHostKeys: boolean;
  readonly abortReason: AbortReason | null;
  onOutput(bytes: Uint8Array): void;
  onJobEnd(job: FinishedJob): void;
  /** Whether the budget allows a reboot of the host now. */
  mayReboot(): Promise<boolean>;
  serverBootIds(): Promise<readonly string[]>;
  /** `null`: the host is in no cluster. */
  networkRecord(): Promise<DriverRecord | null>;
  openNetwork(record: DriverRecord, managerType: string | null): Promise<Network>;
  managerRecord(): Promise<DriverRecord | null>;
  openManager(record: DriverRecord): Promise<ContainerManager>;
}

export type JobContext = Pick<StepContext, 'connection' | 'jobPrefix' | 'clock' | 'onOutput' | 'onJobEnd'>;

export interface Step<T extends Task = Task, H extends Host | null = Host> {
  readonly name: string;
  readonly phase?: HostPhase;
  /** Default: `fail_task`. `keep_retrying` fails the task only if the failure changes the status of the host. */
  readonly onExhausted?: 'fail_task' | 'skip_step' | 'keep_retrying';
  retryPolicy(task: T, state: Pick<TaskState, 'rollback'>): RetryPolicy;
  isUnnecessary?(task: T, state: Pick<TaskState, 'done'>): boolean;
  run(context: StepContext<T, H>): Promise<Outcome>;
}

export const pendingSteps = <T extends Task, S extends Pick<Step<T>, 'name' | 'isUnnecessary'>>(
  steps: readonly S[],
  task: T,
  state: Pick<TaskState, 'done'>,
): readonly S[] =>
  steps.filter(step => !Object.hasOwn(state.done, step.name) && step.isUnnecessary?.(task, state) !== true);

/** `step_decides`: the step gets the request and aborts if it can. */
export type AbortMode = 'rollback' | 'continue' | 'step_decides';

interface AbortRules<T extends Task, H extends Host | null> {
  abortModeOf(task: T, step: string, abortReason: AbortReason): AbortMode;
  /** Steps that run when the task does not get past `fromStep`. */
  rollbackSteps(task: T, rollback: Pick<Rollback, 'fromStep' | 'reason'>): readonly Step<T, H>[];
  /** Whether a failure in this step would probably occur on the next host, too. */
  isSystemicFailure(task: T, step: string): boolean;
}

export interface Procedure<T extends Task = Task, H extends Host | null = Host> {
  readonly steps: readonly Step<T, H>[];
  /** Whether the task is dropped when its host was removed. */
  readonly needsHost: null extends H ? false : true;
  readonly failureTrigger: 'bootstrap_failed' | null;
  /** Without it, every step continues when it is aborted, and there is no rollback. */
  readonly abortRules?: AbortRules<T, H>;
}
