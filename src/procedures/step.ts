// What work is made of: an ordered list of named steps. Each is safe to repeat, since a server may be gone after it ran and before
// that was saved. A step looks at the host through a link and says what came of it; it writes nothing, and it waits for nothing but
// the host. What must hold: whatever a step learnt is in its outcome, so that it is saved together with the step.

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
import type { OpenNetwork } from '../drivers/network/network.ts';
import type { OsRegistry } from '../drivers/os/os-driver.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { FinishedJob } from './jobs/job-poll.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly result: StepResult; readonly hostUpdate: HostUpdate }
  /** It may succeed later. `isRoundOver`: what it began on the host has ended badly; the next try begins it anew. */
  | {
      readonly kind: 'retry';
      readonly problem: ReasonText;
      readonly restartsJobs: boolean;
      /** The host did not answer. */
      readonly isUnresponsive: boolean;
      /** The step waits for permission to reboot the host. */
      readonly asksToReboot?: true;
      readonly stepState?: StepResult;
    }
  /** Nothing has failed so far; the step is repeated after a pause, until its deadline. */
  | {
      readonly kind: 'waiting';
      readonly delayMs: number;
      readonly stepState: StepResult;
      /** For people; `''`: nothing is wrong. */
      readonly problem: ReasonText | '';
      /** Why the host fails when the deadline has passed. */
      readonly problemAtDeadline: ReasonText;
    }
  /** The rest of the work has become needless. */
  | { readonly kind: 'noop'; readonly hostUpdate: HostUpdate }
  /** It was asked not to go on, and has not. */
  | { readonly kind: 'aborted' }
  /** It will not, whoever tries. */
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly hostUpdate: HostUpdate };

export interface RunOptions {
  readonly timeoutMs: number;
  readonly asRoot?: boolean;
  /** What the command reads: text that ends with a line. Only this way a secret may come to a host. */
  readonly input?: Secret;
}

/** The way to a host: one connection, opened when it is first needed. */
export interface HostConnection {
  /** The key that the host shows. */
  hostKey(): Promise<string | TransportFailure>;
  run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure>;
  /** `undefined` when what came back makes no sense. */
  query<T>(hostQuery: HostQuery<T>, options: RunOptions): Promise<T | TransportFailure | undefined>;
}

/** `H` has null for work that goes on when its host has been removed. */
export interface StepContext<T extends Task = Task, H extends Host | null = Host> {
  readonly task: T;
  readonly host: H;
  readonly connection: HostConnection;
  /** What steps before came to, and what this one has noted. */
  readonly state: Pick<TaskState, 'done' | 'stepState' | 'jobRound' | 'retryTimeMs'>;
  /** What the jobs of this round are called by, so that a try that goes on finds those of the try before: see `jobs/job.ts`. */
  readonly jobPrefix: string;
  /** For measuring how long something takes; nobody waits by it. */
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The store's clock, for what is noted: other servers go by it too. */
  readonly nowMs: number;
  readonly os: OsRegistry;
  /** Whether the keys that the host may show are known. */
  readonly hasPinnedHostKeys: boolean;
  /** Why it should not go on; null: it should. */
  readonly abortReason: SkipReason | null;
  /** Takes what is said on the host, for people to read. */
  onOutput(bytes: Uint8Array): void;
  /** Is told how jobs ended, of each once. */
  onJobEnd(job: FinishedJob): void;
  /** Whether the budget allows the host to be rebooted now. */
  mayReboot(): Promise<boolean>;
  /** Of the machines that servers run on. */
  serverBootIds(): Promise<readonly string[]>;
  /** The network of the cluster that the host is in at this moment; null: it is in none. */
  networkRecord(): Promise<DriverRecord | null>;
  /** `managerType`: of the container manager that the cluster has; null: none. */
  openNetwork(record: DriverRecord, managerType: string | null): Promise<OpenNetwork>;
  /** The container manager of the cluster that the host is in at this moment; null: none. */
  managerRecord(): Promise<DriverRecord | null>;
  openManager(record: DriverRecord): Promise<ContainerManager>;
}

/** What of it jobs need. */
export type JobContext = Pick<StepContext, 'connection' | 'jobPrefix' | 'clock' | 'onOutput' | 'onJobEnd'>;

export interface Step<T extends Task = Task, H extends Host | null = Host> {
  readonly name: string;
  readonly retryPolicy: RetryPolicy;
  /** Of work that belongs to an operation: the phase in which the host is meanwhile. */
  readonly phase?: HostPhase;
  /** Whether there is nothing to do, by what steps before came to: then it is left out. */
  isUnnecessary?(state: Pick<TaskState, 'done'>): boolean;
  run(context: StepContext<T, H>): Promise<Outcome>;
}

/** The steps of a procedure that there is something to do for, as far as is known. */
export const applicableSteps = <S extends Pick<Step, 'isUnnecessary'>>(
  steps: readonly S[],
  state: Pick<TaskState, 'done'>,
): readonly S[] => steps.filter(step => step.isUnnecessary?.(state) !== true);

/** What a step does that is asked not to go on. `ask it`: it sees that itself, and withdraws if it can. */
export type AbortMode = 'rollback' | 'continue' | 'ask_step';

/** What is done for one piece of work. */
export interface Procedure<T extends Task = Task, H extends Host | null = Host> {
  readonly kind: T['kind'];
  readonly steps: readonly Step<T, H>[];
  /** Whether it is dropped when its host has been removed. */
  readonly needsHost: null extends H ? false : true;
  /** What its failure does to the host's status; null: nothing. */
  readonly failureTrigger: 'bootstrap_failed' | null;
  /** What a step does when its host is not wanted any more. Missing: it carries on. */
  abortModeOf?(step: string, abortReason: SkipReason): AbortMode;
  /** What is put in order when it goes no further than to a step. Missing: nothing. */
  rollbackSteps?(rollback: Pick<Rollback, 'fromStep' | 'reason'>): readonly Step<T, H>[];
  /** Whether a failure at this step says that it would fail on the next host too. */
  isSystemicFailure?(step: string): boolean;
}
