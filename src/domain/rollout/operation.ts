// The states of an operation:
//     planned ──▶ running ⇄ paused ──▶ finished
//        │           │  ╲      │ ╲───▶ failed ──retry──▶ running
//        └───────────┴───╲─────┴──▶ cancelling ──▶ cancelled
//                         ╲──▶ finished, failed
//
// `planned`: the engine first asks the container manager for the control-plane nodes, also after a restore.
// `paused`: no host starts; hosts in flight finish. A cluster has at most one open operation.
import type { TraceContext } from '../../lib/tracer.ts';
import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { OperationAction, OperationKind, OperationState, PauseReason, RecordStatus } from '../vocabulary.ts';
import { OPERATION_STATES, PAUSE_REASONS, RECORD_STATUS_OF_STATE } from '../vocabulary.ts';
import type { Policy } from './policy.ts';

/** `restored`: the store was restored from a backup, and later actions are unknown. */
export const INTERNAL_PAUSE_REASONS = [...PAUSE_REASONS, 'global_pause', 'restored'] as const;
export type InternalPauseReason = (typeof INTERNAL_PAUSE_REASONS)[number];

/** For users and events. The global pause and the pause after a restore wait for a user, like a manual pause. */
export const pausedBy = (pause: InternalPauseReason): PauseReason =>
  pause === 'global_pause' || pause === 'restored' ? 'manual' : pause;

/**
 * Of members that were out of service before the operation. `after_resume`: since a retry or resume, which excludes no further
 * members. `done`: a host was started, or nothing was blocking.
 */
export type Assessment = 'initial' | 'after_resume' | 'done';

export const GLOBAL_PAUSE_MESSAGE = 'all operations are paused; resume all operations to continue';

export interface OperationStatus {
  readonly state: OperationState;
  /** null unless `paused`. */
  readonly pause: InternalPauseReason | null;
  /** Why it failed, or what it waits for. */
  readonly problem: string;
}

export interface ClusterOperation extends OperationStatus {
  readonly id: string;
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  /** `''` unless `kind` is `deploy`. */
  readonly version: string;
  readonly policy: Policy;
  readonly hostCount: number;
  /** They do not stop further hosts, because a user retried or resumed the operation. */
  readonly acknowledgedFailures: number;
  /** A user accepted them by `resume`: they do not make the operation fail at its end. */
  readonly acceptedFailures: number;
  /** By the clock of the store; null: not blocked. */
  readonly blockedSinceMs: number | null;
  readonly assessment: Assessment;
  /** They use no slot: excluded as unhealthy, or skipped by a user. See `recovered` of the snapshot. */
  readonly ignoredHosts: readonly Address[];
  readonly startedBy: string;
  readonly startedAt: string;
  /** null while the operation is open. */
  readonly finishedAt: string | null;
  readonly isClusterRemoved: boolean;
  readonly trace?: TraceContext;
}

export const recordStatusOf = ({ state }: Pick<OperationStatus, 'state'>): RecordStatus =>
  RECORD_STATUS_OF_STATE[state];

export const statesWithRecordStatus = (status: RecordStatus): readonly OperationState[] =>
  OPERATION_STATES.filter(state => recordStatusOf({ state }) === status);

export const isOperationOpen = (status: Pick<OperationStatus, 'state'>): boolean =>
  recordStatusOf(status) === 'in_process';

const OPEN_ACTIONS = ['cancel', 'skip'] as const;

/** The pause reason can restrict them further. */
const ACTIONS: Readonly<Record<OperationState, readonly OperationAction[]>> = {
  planned: OPEN_ACTIONS,
  running: ['pause', 'retry', ...OPEN_ACTIONS],
  paused: ['pause', 'resume', 'retry', ...OPEN_ACTIONS],
  cancelling: ['skip'],
  finished: [],
  failed: ['retry'],
  cancelled: [],
};

/** Not `window`, which opens by itself, and not `global_pause`, which ends for all operations at once. */
const MANUALLY_RESUMED: readonly (InternalPauseReason | null)[] = ['manual', 'restored', 'failures', 'budget'];

/** A partition ends by itself. Resuming it declares the outage real. */
const RESUMABLE: readonly (InternalPauseReason | null)[] = [...MANUALLY_RESUMED, 'partitioned'];

export const needsManualResume = ({ pause }: Pick<OperationStatus, 'pause'>): boolean =>
  MANUALLY_RESUMED.includes(pause);

/** Only a user can end this pause. */
export const isManuallyPaused = ({ pause }: Pick<OperationStatus, 'pause'>): boolean =>
  pause === 'manual' || pause === 'restored';

/** Members are excluded only once, so no failed host is excluded silently. */
export const assessmentAfterResume = ({ assessment }: Pick<ClusterOperation, 'assessment'>): Assessment =>
  assessment === 'done' ? 'after_resume' : assessment;

/** After a restore, the control-plane nodes may have changed, so they are read again. */
export const stateAfterResume = ({ pause }: Pick<OperationStatus, 'pause'>): OperationState =>
  pause === 'restored' ? 'planned' : 'running';

/** Also true if no host can be retried. */
export const canRetry = ({ state, isClusterRemoved }: Pick<ClusterOperation, 'state' | 'isClusterRemoved'>): boolean =>
  !isClusterRemoved && ACTIONS[state].includes('retry');

export function allowedActions(
  { state, pause, isClusterRemoved }: Pick<ClusterOperation, 'state' | 'pause' | 'isClusterRemoved'>,
  { failures }: { readonly failures: number },
): readonly OperationAction[] {
  if (isClusterRemoved) return [];
  return ACTIONS[state].filter(action => {
    if (action === 'pause') return !isManuallyPaused({ pause });
    if (action === 'resume') return RESUMABLE.includes(pause);
    // An operation that is blocked before its start has no failed host; a retry can exclude the blocking members.
    return action !== 'retry' || failures > 0 || state === 'failed' || pause === 'budget';
  });
}
