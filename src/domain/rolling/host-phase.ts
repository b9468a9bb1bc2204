// How far an operation has come on a host:
//
//   pending → preflight → staging → cordoning → draining → applying → armed → rebooting → verifying → uncordoning → done
//
//   any that has not ended ──▶ failed, skipped      failed ──retry──▶ pending, ──▶ skipped      preflight, staging ──maintenance──▶ pending
//
// Before `cordoning` nothing disturbs the host; from there to `uncordoning` it is in flight, and uses one slot of the budget. A phase that has
// nothing to do is left out.

import type { Address } from '../addresses/address.ts';
import type { HostPart, HostPhase, HostState, SkipReason } from '../vocabulary.ts';
import { HOST_PHASES, PART_OF_PHASE } from '../vocabulary.ts';
import type { StepResult } from '../work/work.ts';

export const partOf = (phase: HostPhase): HostPart => PART_OF_PHASE[phase];

const phasesIn = (part: HostPart): readonly HostPhase[] =>
  HOST_PHASES.filter(phase => partOf(phase) === part);

export const PREPARING_PHASES = phasesIn('preparing');
export const IN_FLIGHT_PHASES = phasesIn('in flight');

export const NOT_ENDED_PHASES = HOST_PHASES.filter(phase => partOf(phase) !== 'ended');

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
