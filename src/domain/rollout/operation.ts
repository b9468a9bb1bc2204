// The life of an operation on a cluster:
//
//   planned ──▶ running ⇄ paused ──▶ finished
//      │           │  ╲      │ ╲───▶ failed ──retry──▶ running
//      └───────────┴───╲─────┴──▶ cancelling ──▶ cancelled
//                       ╲──▶ finished, failed
//
// `planned`: nothing has been decided yet; it stays so until the container manager has said who belongs to the control plane. One that was
// paused after a restore goes on from there. `paused`: nothing new is started; what is in flight comes to its end. While it is open, no
// other operation runs on the cluster.

import type { TraceContext } from '../../lib/tracer.ts';
import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type {
  OperationAction,
  OperationKind,
  OperationState,
  PauseReason,
  RecordStatus,
} from '../vocabulary.ts';
import { OPERATION_STATES, PAUSE_REASONS, RECORD_STATUS_OF_STATE } from '../vocabulary.ts';
import type { Policy } from './policy.ts';

/**
 * Why nothing new is started. `global_pause`: an administrator paused all operations. `restored`: the store was brought back from a backup, and what was
 * done since is not known.
 */
export const INTERNAL_PAUSE_REASONS = [...PAUSE_REASONS, 'global_pause', 'restored'] as const;
export type InternalPauseReason = (typeof INTERNAL_PAUSE_REASONS)[number];

/** The reason that users and events see. The global pause and the pause after a restore wait for a user, like a manual pause. */
export const pausedBy = (pause: InternalPauseReason): PauseReason =>
  pause === 'global_pause' || pause === 'restored' ? 'manual' : pause;

/**
 * Whether members that were out of service before the operation have been dealt with. `first`: not yet. `again`: not yet since a retry or
 * resume, which excludes no further members. `done`: a host was started, or nothing was in the way.
 */
export type Assessment = 'first' | 'again' | 'done';

/** What people read while all operations are held. */
export const GLOBAL_PAUSE_MESSAGE = 'all operations are paused; resume all operations to continue';

/** What moves an operation, and to where. */
export interface OperationStatus {
  readonly state: OperationState;
  /** null unless it is paused. */
  readonly pause: InternalPauseReason | null;
  /** Why it failed, or what it waits for; `''`: for nothing but its hosts. */
  readonly problem: string;
}

export interface ClusterOperation extends OperationStatus {
  readonly id: string;
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  /** What is deployed; `''` for the other kinds. */
  readonly version: string;
  readonly policy: Policy;
  /** How many hosts it is for. */
  readonly hostCount: number;
  /** Failures despite which further hosts are started, because a person has asked to retry or resume. */
  readonly acknowledgedFailures: number;
  /** Those of them that a person has accepted by `resume`: they do not make the operation fail in the end. */
  readonly acceptedFailures: number;
  /** Since when it waits for hosts that are in its way, by the store's clock; null: it does not. */
  readonly blockedSinceMs: number | null;
  readonly assessment: Assessment;
  /** Members that use no slot: excluded as unhealthy, or skipped by a person. See `activeAgain` of the snapshot. */
  readonly ignoredHosts: readonly Address[];
  readonly startedBy: string;
  readonly startedAt: string;
  /** null while it is open. */
  readonly finishedAt: string | null;
  /** Its cluster was removed since. */
  readonly isClusterDeleted: boolean;
  /** Of the request that started it, where that was traced. */
  readonly trace?: TraceContext;
}

export const recordStatusOf = ({ state }: Pick<OperationStatus, 'state'>): RecordStatus =>
  RECORD_STATUS_OF_STATE[state];

/** The states that count as it. */
export const statesWithRecordStatus = (status: RecordStatus): readonly OperationState[] =>
  OPERATION_STATES.filter(state => recordStatusOf({ state }) === status);

/** Whether there is something left to be done. */
export const isOperationOpen = (status: Pick<OperationStatus, 'state'>): boolean =>
  recordStatusOf(status) === 'in_process';

const OPEN_ACTIONS = ['cancel', 'skip'] as const;

/** What may be asked of it, by its state alone. */
const ACTIONS: Readonly<Record<OperationState, readonly OperationAction[]>> = {
  planned: OPEN_ACTIONS,
  running: ['pause', 'retry', ...OPEN_ACTIONS],
  paused: ['pause', 'resume', 'retry', ...OPEN_ACTIONS],
  cancelling: ['skip'],
  finished: [],
  failed: ['retry'],
  cancelled: [],
};

/** A window opens by itself, and what people hold is released for all at once. */
const MANUALLY_RESUMED: readonly (InternalPauseReason | null)[] = [
  'manual',
  'restored',
  'failures',
  'budget',
];

/** A partition ends by itself. To resume it says that the outage is real. */
const RESUMABLE: readonly (InternalPauseReason | null)[] = [...MANUALLY_RESUMED, 'partitioned'];

/** It does not go on by itself: only what a person asks of it moves it. */
export const needsManualResume = ({ pause }: Pick<OperationStatus, 'pause'>): boolean =>
  MANUALLY_RESUMED.includes(pause);

/** Whatever else changes, it goes on only when a person resumes it. */
export const isManuallyPaused = ({ pause }: Pick<OperationStatus, 'pause'>): boolean =>
  pause === 'manual' || pause === 'restored';

/** The assessment that is due after a retry or resume. Members are excluded once, so that no failed host is left out silently. */
export const assessmentAfterResume = ({ assessment }: Pick<ClusterOperation, 'assessment'>): Assessment =>
  assessment === 'done' ? 'again' : assessment;

/** Where it goes on when it is resumed. Who belongs to the control plane may have changed since a backup, and is asked anew. */
export const stateAfterResume = ({ pause }: Pick<OperationStatus, 'pause'>): OperationState =>
  pause === 'restored' ? 'planned' : 'running';

/** Whether a retry is possible in this state; whether there is something to retry is another question. */
export const canRetry = ({
  state,
  isClusterDeleted,
}: Pick<ClusterOperation, 'state' | 'isClusterDeleted'>): boolean =>
  !isClusterDeleted && ACTIONS[state].includes('retry');

/** What may be asked of an operation now. `failures`: of its hosts so many have failed. */
export function allowedActions(
  { state, pause, isClusterDeleted }: Pick<ClusterOperation, 'state' | 'pause' | 'isClusterDeleted'>,
  { failures }: { readonly failures: number },
): readonly OperationAction[] {
  if (isClusterDeleted) return [];
  return ACTIONS[state].filter(action => {
    if (action === 'pause') return !isManuallyPaused({ pause });
    if (action === 'resume') return RESUMABLE.includes(pause);
    // An operation that members out of service keep from starting has no failed host; a retry can exclude those members.
    return action !== 'retry' || failures > 0 || state === 'failed' || pause === 'budget';
  });
}
