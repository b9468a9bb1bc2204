// The record of a host in an operation, and how it changes: pure, so that whoever writes it says only what happened.

import type { Address } from '../addresses/address.ts';
import type { HostPhase, HostState, SkipReason } from '../vocabulary.ts';
import type { StepResult } from '../work/work.ts';
import { partOf } from './host-phase.ts';

/** When a host came into a phase. */
export interface PhaseEntry {
  readonly phase: HostPhase;
  readonly attempt: number;
  readonly at: string;
}

/** A host in the plan of an operation. */
export interface PlannedHost {
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
  readonly unwanted: SkipReason | null;
  /** It has failed in a way that says that the next one would too: its slot is not free before a person says so. */
  readonly keepsSlot: boolean;
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
  readonly isAlreadyThere: boolean;
  /** Why it failed, or what it waits for; `''`: nothing. */
  readonly problem: string;
  /** What its preparation came to. */
  readonly prepared: StepResult;
  readonly phases: readonly PhaseEntry[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** As people are told: one that does not answer is `unreachable`, whatever its phase. */
export const stateOf = ({ phase, isUnreachable }: Pick<PlannedHost, 'phase' | 'isUnreachable'>): HostState =>
  isUnreachable && partOf(phase) !== 'ended' ? 'unreachable' : phase;

/** It is in a phase from now on. */
export function entered(planned: PlannedHost, phase: HostPhase, at: string): PlannedHost {
  if (planned.phase === phase) return planned;
  const { attempt } = planned;
  return {
    ...planned,
    phase,
    isStaged: false,
    isUnreachable: false,
    asksToReboot: false,
    problem: '',
    phases: [...planned.phases, { phase, attempt, at }],
    startedAt: planned.startedAt ?? at,
    finishedAt: partOf(phase) === 'ended' ? at : null,
  };
}

/** It is prepared, and waits for a slot. */
export const prepared = (planned: PlannedHost, at: string, results: StepResult): PlannedHost => ({
  ...entered(planned, 'staging', at),
  isStaged: true,
  isUnreachable: false,
  problem: '',
  prepared: results,
});

/** It is tried again. */
export const delayed = (
  planned: PlannedHost,
  {
    problem,
    isSilence,
    asksToReboot,
  }: { readonly problem: string; readonly isSilence: boolean; readonly asksToReboot: boolean },
): PlannedHost => ({
  ...planned,
  problem,
  asksToReboot,
  // That one which boots does not answer is as it should be.
  isUnreachable: isSilence && planned.phase !== 'rebooting',
});

export const finished = (
  planned: PlannedHost,
  at: string,
  { isAlreadyThere }: { readonly isAlreadyThere: boolean },
): PlannedHost => ({ ...entered(planned, 'done', at), isAlreadyThere, unwanted: null });

/** How a host was left that was given up. */
interface Left {
  /** What went wrong; `''`: nothing. */
  readonly problem?: string;
  /** Its next boot brings what was applied. */
  readonly isUnlocked?: boolean;
}

const wordsFor = ({ isCordoned }: PlannedHost, { problem = '', isUnlocked }: Left): string =>
  [
    ...(problem === '' ? [] : [problem]),
    ...(isCordoned ? ['the node is still cordoned'] : []),
    ...(isUnlocked ? ['the staged version could not be locked and will be activated by the next boot'] : []),
  ].join('; ');

export function gaveUp(
  planned: PlannedHost,
  at: string,
  { keepsSlot, ...left }: Left & { readonly problem: string; readonly keepsSlot: boolean },
): PlannedHost {
  const problem = wordsFor(planned, left);
  return { ...entered(planned, 'failed', at), problem, keepsSlot, unwanted: null };
}

export const skipped = (
  planned: PlannedHost,
  at: string,
  skipReason: SkipReason,
  left: Left = {},
): PlannedHost => ({
  ...entered(planned, 'skipped', at),
  skipReason,
  problem: wordsFor(planned, left),
  keepsSlot: false,
  unwanted: null,
});

/** It begins anew, as another attempt. */
export const retried = (planned: PlannedHost, at: string): PlannedHost => ({
  ...entered({ ...planned, attempt: planned.attempt + 1 }, 'pending', at),
  keepsSlot: false,
  clearedUntilMs: null,
  prepared: {},
});

/** In this attempt or in one before. */
export const wasInFlight = ({ phases }: PlannedHost): boolean =>
  phases.some(({ phase }) => partOf(phase) === 'in flight');

/** It keeps the operation from starting: it stays pending, and its record says why. */
export const blocked = (
  planned: PlannedHost,
  { problem, isUnreachable }: Pick<PlannedHost, 'problem' | 'isUnreachable'>,
): PlannedHost => ({ ...planned, problem, isUnreachable });

/** Whether it keeps, or has kept, its operation from starting. */
export const isBlocked = ({ phase, problem }: Pick<PlannedHost, 'phase' | 'problem'>): boolean =>
  phase === 'pending' && problem !== '';
