// The phases of a host in an operation:
//     pending → preflight → staging → cordoning → draining → applying → armed → rebooting → verifying → uncordoning → done
//
//     any open phase ──▶ failed, skipped      failed ──retry──▶ pending, ──▶ skipped      preflight, staging ──maintenance──▶ pending
//
// Nothing disturbs the host before `cordoning`. From there to `uncordoning` it is in flight and uses one slot
// of the budget. Phases without work are skipped.

import type { Address } from '../addresses/address.ts';
import type { StepResult } from '../tasks/task.ts';
import type {
  AbortReason,
  HostPhase,
  OperationHostState,
  PhaseGroup,
  RecordedPhase,
  SkipReason,
} from '../vocabulary.ts';
import { HOST_PHASES, PHASE_GROUPS } from '../vocabulary.ts';

export const phaseGroupOf = (phase: RecordedPhase): PhaseGroup => PHASE_GROUPS[phase];

const phasesInGroup = (group: PhaseGroup): readonly HostPhase[] =>
  HOST_PHASES.filter(phase => phaseGroupOf(phase) === group);

export const PREPARING_PHASES = phasesInGroup('preparing');
export const IN_FLIGHT_PHASES = phasesInGroup('in_flight');

export const OPEN_PHASES = HOST_PHASES.filter(phase => phaseGroupOf(phase) !== 'ended');

/** In flight, and the reboot was sent or is not needed. */
export const REBOOT_SENT_PHASES: readonly HostPhase[] = ['rebooting', 'verifying', 'uncordoning'];

interface PhaseEntry {
  readonly phase: RecordedPhase;
  readonly attempt: number;
  readonly at: string;
}

export interface OperationHost {
  readonly host: Address;
  /** A later enrolment at the same address is a different host. */
  readonly enrolment: string;
  readonly position: number;
  readonly isControlPlane: boolean;
  readonly phase: HostPhase;
  /** Prepared and waiting for a slot. */
  readonly isStaged: boolean;
  /** The host stays in its phase and continues when it responds. */
  readonly isUnreachable: boolean;
  /** The host must not continue. */
  readonly abortReason: AbortReason | null;
  /**
   * The failure would probably repeat on the next host, so the slot stays used until a user retries or skips this host.
   */
  readonly holdsSlot: boolean;
  /** Hostler cordoned the node. */
  readonly isCordoned: boolean;
  readonly attempt: number;
  readonly skipReason: SkipReason | null;
  /** Waits for clearance to reboot. */
  readonly awaitsRebootClearance: boolean;
  /** By the clock of the store; null: not cleared. */
  readonly clearedUntilMs: number | null;
  readonly wasNoop: boolean;
  /** Why it failed, or what it waits for. */
  readonly problem: string;
  readonly stageResult: StepResult;
  readonly phases: readonly PhaseEntry[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export function displayState({
  phase,
  isStaged,
  isUnreachable,
}: Pick<OperationHost, 'phase' | 'isStaged' | 'isUnreachable'>): OperationHostState {
  if (isUnreachable && phaseGroupOf(phase) !== 'ended') return 'unreachable';
  return isStaged ? 'queued' : phase;
}

export function withPhase(operationHost: OperationHost, phase: HostPhase, at: string): OperationHost {
  if (operationHost.phase === phase) return operationHost;
  const { attempt } = operationHost;
  return {
    ...operationHost,
    phase,
    isStaged: false,
    isUnreachable: false,
    awaitsRebootClearance: false,
    problem: '',
    phases: [...operationHost.phases, { phase, attempt, at }],
    startedAt: operationHost.startedAt ?? at,
    finishedAt: phaseGroupOf(phase) === 'ended' ? at : null,
  };
}

/** The phase is `staging` even if there was nothing to stage. */
export const asStaged = (operationHost: OperationHost, at: string, stageResult: StepResult): OperationHost => ({
  ...operationHost,
  phase: 'staging',
  isStaged: true,
  isUnreachable: false,
  problem: '',
  stageResult,
  phases: [...operationHost.phases, { phase: 'queued', attempt: operationHost.attempt, at }],
});

export const asDelayed = (
  operationHost: OperationHost,
  {
    problem,
    isUnresponsive,
    awaitsRebootClearance,
  }: { readonly problem: string; readonly isUnresponsive: boolean; readonly awaitsRebootClearance: boolean },
): OperationHost => ({
  ...operationHost,
  problem,
  awaitsRebootClearance,
  // A booting host is expected not to respond.
  isUnreachable: isUnresponsive && operationHost.phase !== 'rebooting',
});

export const asDone = (
  operationHost: OperationHost,
  at: string,
  { wasNoop }: { readonly wasNoop: boolean },
): OperationHost => ({ ...withPhase(operationHost, 'done', at), wasNoop, abortReason: null });

interface Leftover {
  readonly problem?: string;
  /** The next boot activates the staged version. */
  readonly isUnlocked?: boolean;
}

const describeLeftover = ({ isCordoned }: OperationHost, { problem = '', isUnlocked }: Leftover): string =>
  [
    ...(problem === '' ? [] : [problem]),
    ...(isCordoned ? ['the node is still cordoned'] : []),
    ...(isUnlocked ? ['the staged version could not be locked and will be activated by the next boot'] : []),
  ].join('; ');

export function asFailed(
  operationHost: OperationHost,
  at: string,
  { holdsSlot, ...leftover }: Leftover & { readonly problem: string; readonly holdsSlot: boolean },
): OperationHost {
  const problem = describeLeftover(operationHost, leftover);
  return { ...withPhase(operationHost, 'failed', at), problem, holdsSlot, abortReason: null };
}

export const asSkipped = (
  operationHost: OperationHost,
  at: string,
  skipReason: SkipReason,
  leftover: Leftover = {},
): OperationHost => ({
  ...withPhase(operationHost, 'skipped', at),
  skipReason,
  problem: describeLeftover(operationHost, leftover),
  holdsSlot: false,
  abortReason: null,
});

export const asRetried = (operationHost: OperationHost, at: string): OperationHost => ({
  ...withPhase({ ...operationHost, attempt: operationHost.attempt + 1 }, 'pending', at),
  holdsSlot: false,
  clearedUntilMs: null,
  stageResult: {},
});

export const wasInFlight = ({ phases }: OperationHost): boolean =>
  phases.some(({ phase }) => phaseGroupOf(phase) === 'in_flight');

/** The host stays pending, with the reason. */
export const asBlocked = (
  operationHost: OperationHost,
  { problem, isUnreachable }: Pick<OperationHost, 'problem' | 'isUnreachable'>,
): OperationHost => ({ ...operationHost, problem, isUnreachable });

export const isBlocked = ({ phase, problem }: Pick<OperationHost, 'phase' | 'problem'>): boolean =>
  phase === 'pending' && problem !== '';

declare const ownerBrand: unique symbol;

/** Stored on a cordoned node: `hostler/OPERATION/ATTEMPT`. */
export type CordonOwner = string & { readonly [ownerBrand]: true };

const OWNER_PREFIX = 'hostler/';

export const cordonOwner = (operation: string, attempt: number): CordonOwner =>
  `${OWNER_PREFIX}${operation}/${attempt}` as CordonOwner;

export const isHostlerOwner = (text: string): text is CordonOwner => text.startsWith(OWNER_PREFIX);
