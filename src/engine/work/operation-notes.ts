// How the work of an operation on a host is told in the record of that operation. For other work there is nothing to be told.

import type { Learned } from '../../domain/hosts/learned.ts';
import {
  delayed,
  entered,
  finished,
  gaveUp,
  prepared,
  skipped,
  wasInFlight,
} from '../../domain/rolling/planned-host.ts';
import type { Progress, Retreat, StepResult, Work } from '../../domain/work/work.ts';
import { isOperationWork } from '../../domain/work/work.ts';
import type { AnyProcedure } from '../../operations/index.ts';
import { isToBeProvedOnly, TO_BE_PROVED } from '../../operations/rolling/already-there.ts';
import { isCordonUndone, isSpared } from '../../operations/rolling/cordon.ts';
import { isLeftUnlocked } from '../../operations/rolling/lock-again.ts';
import { provedBootId } from '../../operations/rolling/verify.ts';
import { neededSteps } from '../../operations/step.ts';
import type { HostChange } from '../change-host.ts';
import { recordPlanned } from './record-planned.ts';

/** The next step begins. */
export async function noteStep(
  change: HostChange,
  work: Work,
  procedure: AnyProcedure,
  progress: Progress,
): Promise<void> {
  const { done, retreat } = progress;
  if (!isOperationWork(work) || retreat) return;
  const steps = neededSteps(procedure.steps, progress);
  const phase = steps.find(({ name }) => !Object.hasOwn(done, name))?.phase;
  await recordPlanned(change, work, planned => {
    const next = phase ? entered(planned, phase, change.at) : planned;
    const isCordoned = next.isCordoned && !isSpared(progress);
    return isCordoned === next.isCordoned && next === planned ? planned : { ...next, isCordoned };
  });
}

/** A step is tried again later. */
export async function noteDelay(
  change: HostChange,
  work: Work,
  delay: { readonly problem: string; readonly isSilence: boolean; readonly asksToReboot: boolean },
): Promise<void> {
  if (!isOperationWork(work)) return;
  await recordPlanned(change, work, planned => {
    const next = delayed(planned, delay);
    const isSame =
      next.problem === planned.problem &&
      next.isUnreachable === planned.isUnreachable &&
      next.asksToReboot === planned.asksToReboot;
    return isSame ? planned : next;
  });
}

/** All steps are done, or the rest is needless. Answers what is known of the host by that. */
export async function noteEnd(
  change: HostChange,
  work: Work,
  progress: Progress,
  { isSettled }: { readonly isSettled: boolean },
): Promise<Learned> {
  if (!isOperationWork(work)) return {};
  const { at } = change;
  if (work.kind === 'stage') {
    const results: StepResult = Object.assign({}, ...Object.values(progress.done));
    await recordPlanned(change, work, planned => {
      if (!isSettled) return prepared(planned, at, results);
      // What an attempt before has left it like is to be proved: it may be cordoned, and not be well.
      return wasInFlight(planned)
        ? prepared(planned, at, { ...results, ...TO_BE_PROVED })
        : finished(planned, at, { isAlreadyThere: true });
    });
    return {};
  }
  await recordPlanned(change, work, planned => ({
    ...finished(planned, at, { isAlreadyThere: isToBeProvedOnly(work.prepared) }),
    isCordoned: false,
  }));
  const bootId = provedBootId(progress);
  return {
    cause: 'answered',
    check: 'passed',
    ...(bootId !== undefined && { facts: { bootId } }),
  };
}

/** Its host has been removed. */
export async function noteGone(change: HostChange, work: Work): Promise<void> {
  if (!isOperationWork(work)) return;
  await recordPlanned(change, work, planned => skipped(planned, change.at, 'left_cluster'));
}

/** It went no further, and what could be put in order is in order. */
export async function noteRetreated(
  change: HostChange,
  work: Work,
  progress: Progress,
  { why, problem }: Retreat,
): Promise<void> {
  if (!isOperationWork(work)) return;
  const { at } = change;
  const isUnlocked = isLeftUnlocked(progress);
  await recordPlanned(change, work, planned => {
    const isCordoned = planned.isCordoned && !isCordonUndone(progress);
    const left = { ...planned, isCordoned };
    if (typeof why === 'string') return skipped(left, at, why, { isUnlocked });
    // Whoever has skipped it was told that it is left alone; how it went meanwhile is for them to read.
    if (planned.unwanted === 'by_hand') return skipped(left, at, 'by_hand', { isUnlocked, problem });
    // One that is left cordoned is out of service: with a next one in its place the cluster would go bit by bit.
    return gaveUp(left, at, { problem, keepsSlot: why.keepsSlot || isCordoned, isUnlocked });
  });
}
