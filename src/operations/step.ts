// What work is made of: an ordered list of named steps. Each is safe to repeat, since a server may be gone after it ran and before
// that was saved. A step looks at the host through a link and says what came of it; it writes nothing, and it waits for nothing but
// the host. What must hold: whatever a step learnt is in its outcome, so that it is saved together with the step.

import type { Argv, Question, Ran } from '../domain/command.ts';
import type { DriverRecord } from '../domain/driver-record.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { Learned } from '../domain/hosts/learned.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { Secret } from '../domain/secret.ts';
import type { TransportFailure } from '../domain/transport-failure.ts';
import type { HostPhase, SkipReason } from '../domain/vocabulary.ts';
import type { Patience } from '../domain/work/patience.ts';
import type { Progress, Retreat, StepResult, Work } from '../domain/work/work.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { OpenNetwork } from '../drivers/network/network.ts';
import type { OsRegistry } from '../drivers/os/os-registry.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { JobEnd } from './jobs/job-end.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly result: StepResult; readonly learned: Learned }
  /** It may succeed later. `isRoundOver`: what it began on the host has ended badly; the next try begins it anew. */
  | {
      readonly kind: 'retry';
      readonly problem: ReasonText;
      readonly isRoundOver: boolean;
      /** The host did not answer. */
      readonly isSilence: boolean;
      /** The step waits for permission to reboot the host. */
      readonly asksToReboot?: true;
      readonly notes?: StepResult;
    }
  /** Nothing has failed so far; the step is repeated after a pause, until its deadline. */
  | {
      readonly kind: 'waiting';
      readonly pauseMs: number;
      readonly notes: StepResult;
      /** For people; `''`: nothing is wrong. */
      readonly problem: ReasonText | '';
      /** Why the host fails when the deadline has passed. */
      readonly problemAtDeadline: ReasonText;
    }
  /** The rest of the work has become needless. */
  | { readonly kind: 'noop'; readonly learned: Learned }
  /** It was asked not to go on, and has not. */
  | { readonly kind: 'aborted' }
  /** It will not, whoever tries. */
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly learned: Learned };

export interface RunOptions {
  readonly timeoutMs: number;
  readonly asRoot?: boolean;
  /** What the command reads: text that ends with a line. Only this way a secret may come to a host. */
  readonly input?: Secret;
}

/** The way to a host: one connection, opened when it is first needed. */
export interface HostLink {
  /** The key that the host shows. */
  hostKey(): Promise<string | TransportFailure>;
  run(argv: Argv, options: RunOptions): Promise<Ran | TransportFailure>;
  /** `undefined` when what came back makes no sense. */
  ask<T>(question: Question<T>, options: RunOptions): Promise<T | TransportFailure | undefined>;
}

/** `H` has null for work that goes on when its host has been removed. */
export interface StepContext<W extends Work = Work, H extends Host | null = Host> {
  readonly work: W;
  readonly host: H;
  readonly link: HostLink;
  /** What steps before came to, and what this one has noted. */
  readonly progress: Pick<Progress, 'done' | 'notes' | 'round' | 'spentMs'>;
  /** What the jobs of this round are called by, so that a try that goes on finds those of the try before: see `jobs/job.ts`. */
  readonly jobsName: string;
  /** For measuring how long something takes; nobody waits by it. */
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The store's clock, for what is noted: other servers go by it too. */
  readonly nowMs: number;
  readonly os: OsRegistry;
  /** Whether the keys that the host may show are known. */
  readonly isPinned: boolean;
  /** Why it should not go on; null: it should. */
  readonly unwanted: SkipReason | null;
  /** Takes what is said on the host, for people to read. */
  hear(bytes: Uint8Array): void;
  /** Is told how jobs ended, of each once. */
  jobEnded(end: JobEnd): void;
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
export type JobContext = Pick<StepContext, 'link' | 'jobsName' | 'clock' | 'hear' | 'jobEnded'>;

export interface Step<W extends Work = Work, H extends Host | null = Host> {
  readonly name: string;
  readonly patience: Patience;
  /** Of work that belongs to an operation: the phase in which the host is meanwhile. */
  readonly phase?: HostPhase;
  /** Whether there is nothing to do, by what steps before came to: then it is left out. */
  isNeedless?(progress: Pick<Progress, 'done'>): boolean;
  run(context: StepContext<W, H>): Promise<Outcome>;
}

/** The steps of a procedure that there is something to do for, as far as is known. */
export const neededSteps = <S extends Pick<Step, 'isNeedless'>>(
  steps: readonly S[],
  progress: Pick<Progress, 'done'>,
): readonly S[] => steps.filter(step => step.isNeedless?.(progress) !== true);

/** What a step does that is asked not to go on. `ask it`: it sees that itself, and withdraws if it can. */
export type Stance = 'retreat' | 'carry on' | 'ask it';

/** What is done for one piece of work. */
export interface Procedure<W extends Work = Work, H extends Host | null = Host> {
  readonly kind: W['kind'];
  readonly steps: readonly Step<W, H>[];
  /** Whether it is dropped when its host has been removed. */
  readonly needsHost: null extends H ? false : true;
  /** What its failure does to the host's status; null: nothing. */
  readonly causeOfFailure: 'gave_up' | null;
  /** What a step does when its host is not wanted any more. Missing: it carries on. */
  stanceOf?(step: string, unwanted: SkipReason): Stance;
  /** What is put in order when it goes no further than to a step. Missing: nothing. */
  retreatFrom?(retreat: Pick<Retreat, 'from' | 'why'>): readonly Step<W, H>[];
  /** Whether a failure at this step says that it would fail on the next host too. */
  isTelling?(step: string): boolean;
}
