// How far an operation has come on a host:
//
//   pending → preflight → staging → cordoning → draining → applying → armed → rebooting → verifying → uncordoning → done
//
//   any that has not ended ──▶ failed, skipped      failed ──retry──▶ pending, ──▶ skipped      preflight, staging ──maintenance──▶ pending
//
// Before `cordoning` nothing disturbs the host; from there to `uncordoning` it is in flight, and uses one slot of the budget. A phase that has
// nothing to do is left out.

import type { HostPart, HostPhase } from '../vocabulary.ts';
import { HOST_PHASES, PART_OF_PHASE } from '../vocabulary.ts';

export const partOf = (phase: HostPhase): HostPart => PART_OF_PHASE[phase];

const phasesIn = (part: HostPart): readonly HostPhase[] =>
  HOST_PHASES.filter(phase => partOf(phase) === part);

export const PREPARING_PHASES = phasesIn('preparing');
export const IN_FLIGHT_PHASES = phasesIn('in flight');

export const NOT_ENDED_PHASES = HOST_PHASES.filter(phase => partOf(phase) !== 'ended');

/** In flight, and the reboot was sent, or none is needed. */
export const REBOOT_SENT_PHASES: readonly HostPhase[] = ['rebooting', 'verifying', 'uncordoning'];
