import type { TraceContext } from '../../lib/tracer.ts';
import type { Address } from '../addresses/address.ts';
import type { DriverRecord } from '../driver-record.ts';
import type { RecordName } from '../record-name.ts';
import type { HostPolicy } from '../rolling/policy.ts';
import type { OperationKind, SkipReason, WorkKind } from '../vocabulary.ts';

interface OnHost {
  readonly host: Address;
  /** Which enrolment of the host it is for: a later one at the same address is another host. */
  readonly enrolment: string;
  /** Of the request that asked for it, where that was traced. */
  readonly trace?: TraceContext;
}

/** The part of one host in an operation on its cluster. All that it depends on is in it, as it was when the operation began. */
interface OfOperation extends OnHost {
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
export type Work =
  | ({ readonly kind: 'bootstrap' } & OnHost)
  | ({ readonly kind: 'join'; readonly cluster: RecordName } & OnHost)
  | ({
      readonly kind: 'leave';
      readonly cluster: RecordName;
      readonly network: DriverRecord | null;
      readonly containerManager: DriverRecord | null;
      /** Whether the host can be a node of it. */
      readonly isNode: boolean;
    } & OnHost)
  /** What an operation does on a host before it disturbs it. */
  | ({ readonly kind: 'stage' } & OfOperation)
  /** The rest, once it has a slot. */
  | ({ readonly kind: 'rollout'; readonly prepared: StepResult } & OfOperation);

export type WorkOf<Kind extends WorkKind> = Extract<Work, { kind: Kind }>;

/** What a step came to, for later steps and for people; never a secret. */
export type StepResult = Readonly<Record<string, string | number | boolean | null>>;

/** What a step that is done came to, by name; `undefined`: it is not done, or has not said. */
export const resultOf = (
  { done }: Pick<Progress, 'done'>,
  step: string,
  name: string,
): StepResult[string] | undefined => done[step]?.[name];

/** How far work has come; saved after each step. */
export interface Progress {
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
  readonly round: number;
  /** How long it was tried and waited for in between, in milliseconds. */
  readonly spentMs: number;
  /** Why it did not succeed the last time. */
  readonly problem: string;
  /** How many tries in a row were left out of the trace, since each ended as the one before. */
  readonly untold: number;
  /** What the step has to know when it is tried again. */
  readonly notes: StepResult;
  /** Set once it goes back instead of on. */
  readonly retreat: Retreat | null;
}

/** Work that does not come to its end puts in order what it would leave behind. */
export interface Retreat {
  /** The step that it had come to. */
  readonly from: string;
  readonly why: { readonly kind: 'failed'; readonly keepsSlot: boolean } | SkipReason;
  readonly problem: string;
}

export const NOT_BEGUN: Progress = {
  ...{ done: {}, step: '', attempts: 0, round: 0, spentMs: 0, problem: '', untold: 0, notes: {} },
  retreat: null,
};

/** Work that belongs to an operation on a cluster. */
export type OperationWork = WorkOf<'stage' | 'rollout'>;

export const isOperationWork = (work: Work): work is OperationWork =>
  work.kind === 'stage' || work.kind === 'rollout';

export interface SavedWork {
  readonly id: number;
  readonly work: Work;
  readonly progress: Progress;
}
