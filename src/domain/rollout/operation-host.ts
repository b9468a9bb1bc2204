// How far an operation has come on a host:
//
//   pending → preflight → staging → cordoning → draining → applying → armed → rebooting → verifying → uncordoning → done
//
//   any that has not ended ──▶ failed, skipped      failed ──retry──▶ pending, ──▶ skipped      preflight, staging ──maintenance──▶ pending
//
// Before `cordoning` nothing disturbs the host; from there to `uncordoning` it is in flight, and uses one slot of the budget. A phase that has
// nothing to do is left out.

import type { Address } from '../addresses/address.ts';
import type { StepResult } from '../tasks/task.ts';
import type { HostPhase, HostState, PhaseGroup, SkipReason } from '../vocabulary.ts';
import { HOST_PHASES, PHASE_GROUPS } from '../vocabulary.ts';

export const phaseGroupOf = (phase: HostPhase): PhaseGroup => PHASE_GROUPS[phase];

const phasesInGroup = (group: PhaseGroup): readonly HostPhase[] =>
  HOST_PHASES.filter(phase => phaseGroupOf(phase) === group);

export const PREPARING_PHASES = phasesInGroup('preparing');
export const IN_FLIGHT_PHASES = phasesInGroup('in_flight');

export const OPEN_PHASES = HOST_PHASES.filter(phase => phaseGroupOf(phase) !== 'ended');

/** In flight, and the reboot was sent, or none is needed. */
export const REBOOT_SENT_PHASES: readonly HostPhase[] = ['rebooting', 'verifying', 'uncordoning'];

// The record of a host in an operation, and how it changes: pure, so that whoever writes it says only what happened.

/** When a host came into a phase. */
export interface PhaseEntry {
  readonly phase: HostPhase;
  readonly attempt: number;
  readonly at: string;
}

/** A host in the plan of an operation. */
export interface OperationHost {
  readonly host: Address;
  /** Which enrolment of the host is meant: a later one at the same address is another host. */
  readonly enrolment: string;
  /** Its place in the order. */
  readonly position: number;
  readonly isControlPlane: boolean;
  readonly phase: HostPhase;
  /** It is prepared, and waits for a slot. */
  readonly isStaged: boolean;
  /** It does not answer; it goes on in its phase when it does. */
  readonly isUnreachable: boolean;
  /** It shall not be gone on with: the operation is cancelled, or a person has skipped it. */
  readonly abortReason: SkipReason | null;
  /** It has failed in a way that says that the next one would too: its slot is not free before a person says so. */
  readonly holdsSlot: boolean;
  /** Its node is cordoned by us. */
  readonly isCordoned: boolean;
  /** Counts from 1; a retry is another. */
  readonly attempt: number;
  readonly skipReason: SkipReason | null;
  /** It waits for permission to reboot. */
  readonly asksToReboot: boolean;
  /** Until when it may be sent its reboot, by the store's clock; null: it may not. */
  readonly clearedUntilMs: number | null;
  /** There was nothing to do. */
  readonly wasNoop: boolean;
  /** Why it failed, or what it waits for; `''`: nothing. */
  readonly problem: string;
  /** What its preparation came to. */
  readonly stageResult: StepResult;
  readonly phases: readonly PhaseEntry[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** As people are told: one that does not answer is `unreachable`, whatever its phase. */
export const displayState = ({
  phase,
  isUnreachable,
}: Pick<OperationHost, 'phase' | 'isUnreachable'>): HostState =>
  isUnreachable && phaseGroupOf(phase) !== 'ended' ? 'unreachable' : phase;

/** It is in a phase from now on. */
export function withPhase(operationHost: OperationHost, phase: HostPhase, at: string): OperationHost {
  if (operationHost.phase === phase) return operationHost;
  const { attempt } = operationHost;
  return {
    ...operationHost,
    phase,
    isStaged: false,
    isUnreachable: false,
    asksToReboot: false,
    problem: '',
    phases: [...operationHost.phases, { phase, attempt, at }],
    startedAt: operationHost.startedAt ?? at,
    finishedAt: phaseGroupOf(phase) === 'ended' ? at : null,
  };
}

/** It is prepared, and waits for a slot. */
export const asStaged = (
  operationHost: OperationHost,
  at: string,
  stageResult: StepResult,
): OperationHost => ({
  ...withPhase(operationHost, 'staging', at),
  isStaged: true,
  isUnreachable: false,
  problem: '',
  stageResult: stageResult,
});

/** It is tried again. */
export const asDelayed = (
  operationHost: OperationHost,
  {
    problem,
    isUnresponsive,
    asksToReboot,
  }: { readonly problem: string; readonly isUnresponsive: boolean; readonly asksToReboot: boolean },
): OperationHost => ({
  ...operationHost,
  problem,
  asksToReboot,
  // That one which boots does not answer is as it should be.
  isUnreachable: isUnresponsive && operationHost.phase !== 'rebooting',
});

export const asDone = (
  operationHost: OperationHost,
  at: string,
  { wasNoop }: { readonly wasNoop: boolean },
): OperationHost => ({ ...withPhase(operationHost, 'done', at), wasNoop, abortReason: null });

/** How a host was left that was given up. */
interface Leftover {
  /** What went wrong; `''`: nothing. */
  readonly problem?: string;
  /** Its next boot brings what was applied. */
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

/** It begins anew, as another attempt. */
export const asRetried = (operationHost: OperationHost, at: string): OperationHost => ({
  ...withPhase({ ...operationHost, attempt: operationHost.attempt + 1 }, 'pending', at),
  holdsSlot: false,
  clearedUntilMs: null,
  stageResult: {},
});

/** In this attempt or in one before. */
export const wasInFlight = ({ phases }: OperationHost): boolean =>
  phases.some(({ phase }) => phaseGroupOf(phase) === 'in_flight');

/** It keeps the operation from starting: it stays pending, and its record says why. */
export const asBlocked = (
  operationHost: OperationHost,
  { problem, isUnreachable }: Pick<OperationHost, 'problem' | 'isUnreachable'>,
): OperationHost => ({ ...operationHost, problem, isUnreachable });

/** Whether it keeps, or has kept, its operation from starting. */
export const isBlocked = ({ phase, problem }: Pick<OperationHost, 'phase' | 'problem'>): boolean =>
  phase === 'pending' && problem !== '';

declare const ownerBrand: unique symbol;

/** Says on a cordoned node who made it so: `hostler/OPERATION/ATTEMPT`. */
export type CordonOwner = string & { readonly [ownerBrand]: true };

/** How every mark of ours begins. */
export const OWNER_PREFIX = 'hostler/';

export const cordonOwner = (operation: string, attempt: number): CordonOwner =>
  `${OWNER_PREFIX}${operation}/${attempt}` as CordonOwner;

/** Whether an operation has cordoned the node, this one or an earlier one. */
export const isHostlerOwner = (text: string): text is CordonOwner => text.startsWith(OWNER_PREFIX);
