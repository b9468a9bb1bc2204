// A task is an ordered list of named steps. Every step is idempotent, because a server can crash after
// running it and before saving the result. A step talks to the host through its connection; it does not write
// to the store and does not sleep. All results are in its outcome, so that they are saved together with the
// step.

import type { Argv, CommandResult, HostQuery } from '../domain/command.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { Secret } from '../domain/secret.ts';
import type { RetryPolicy } from '../domain/tasks/retry-policy.ts';
import type { Rollback, StepResult, Task, TaskState } from '../domain/tasks/task.ts';
import type { TransportFailure } from '../domain/transport-failure.ts';
import type { HostPhase, SkipReason } from '../domain/vocabulary.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Network } from '../drivers/network/network.ts';
import type { OsRegistry } from '../drivers/os/os-driver.ts';
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
      readonly asksToReboot?: true;
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
  | { readonly kind: 'aborted' }
  /** Retrying cannot help. */
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly hostUpdate: HostUpdate };

export interface RunOptions {
  readonly timeoutMs: number;
  readonly asRoot?: boolean;
  /** Standard input: text that ends with a line break. Secrets must be passed to a host only this way. */
  readonly input?: Secret;
}

/** One connection, opened on first use. */
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
  /** Results of earlier steps and saved state of this step. */
  readonly state: Pick<TaskState, 'done' | 'stepState' | 'jobRound' | 'retryTimeMs'>;
  /**
   * Prefix of the job names of this round, so that a retry finds the jobs of the previous attempt. See
   * `jobs/job.ts`.
   */
  readonly jobPrefix: string;
  /** For measuring durations only. */
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Time of the store. Saved times must use it, because other servers compare them. */
  readonly nowMs: number;
  readonly os: OsRegistry;
  readonly hasPinnedHostKeys: boolean;
  /** Why the task should abort; `null` if it should continue. */
  readonly abortReason: SkipReason | null;
  onOutput(bytes: Uint8Array): void;
  onJobEnd(job: FinishedJob): void;
  /** Whether the budget allows a reboot of the host now. */
  mayReboot(): Promise<boolean>;
  /** Boot ids of the machines on which servers run. */
  serverBootIds(): Promise<readonly string[]>;
  /** Network of the current cluster of the host; `null` if the host is in no cluster. */
  networkRecord(): Promise<DriverRecord | null>;
  openNetwork(record: DriverRecord, managerType: string | null): Promise<Network>;
  managerRecord(): Promise<DriverRecord | null>;
  openManager(record: DriverRecord): Promise<ContainerManager>;
}

export type JobContext = Pick<StepContext, 'connection' | 'jobPrefix' | 'clock' | 'onOutput' | 'onJobEnd'>;

export interface Step<T extends Task = Task, H extends Host | null = Host> {
  readonly name: string;
  readonly retryPolicy: RetryPolicy;
  /** Phase of the host during this step, for tasks of an operation. */
  readonly phase?: HostPhase;
  /** Whether the step can be left out, given the results of earlier steps. */
  isUnnecessary?(state: Pick<TaskState, 'done'>): boolean;
  run(context: StepContext<T, H>): Promise<Outcome>;
}

export const applicableSteps = <S extends Pick<Step, 'isUnnecessary'>>(
  steps: readonly S[],
  state: Pick<TaskState, 'done'>,
): readonly S[] => steps.filter(step => step.isUnnecessary?.(state) !== true);

/** Reaction of a step to an abort request. `ask_step`: the step gets the request and aborts if it can. */
export type AbortMode = 'rollback' | 'continue' | 'ask_step';

export interface Procedure<T extends Task = Task, H extends Host | null = Host> {
  readonly kind: T['kind'];
  readonly steps: readonly Step<T, H>[];
  /** Whether the task is dropped when its host was removed. */
  readonly needsHost: null extends H ? false : true;
  readonly failureTrigger: 'bootstrap_failed' | null;
  /** Without it, every step continues. */
  abortModeOf?(step: string, abortReason: SkipReason): AbortMode;
  /** Steps that run when the task does not get past `fromStep`. Without it, there is no rollback. */
  rollbackSteps?(rollback: Pick<Rollback, 'fromStep' | 'reason'>): readonly Step<T, H>[];
  /** Whether a failure in this step would probably occur on the next host, too. */
  isSystemicFailure?(step: string): boolean;
}
