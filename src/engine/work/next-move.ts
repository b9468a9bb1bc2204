import type { Learned } from '../../domain/hosts/learned.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import { isOutOfPatience, pauseMs as pauseOf } from '../../domain/work/patience.ts';
import type { Progress } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import type { Outcome, Step } from '../../operations/step.ts';

/** What follows from the outcome of a step. */
export type Move =
  | { readonly kind: 'next step'; readonly progress: Progress; readonly learned: Learned }
  /** `isSettled`: before the last step, since the rest had become needless. */
  | {
      readonly kind: 'finished';
      readonly progress: Progress;
      readonly isSettled: boolean;
      readonly learned: Learned;
    }
  | {
      readonly kind: 'pause';
      readonly progress: Progress;
      readonly pauseMs: number;
      /** The host did not answer. */
      readonly isSilence: boolean;
      /** The step waits for permission to reboot the host. */
      readonly asksToReboot: boolean;
    }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'given up'; readonly problem: ReasonText; readonly learned: Learned };

interface Situation {
  readonly progress: Progress;
  readonly step: Pick<Step, 'name' | 'patience'>;
  readonly isLastStep: boolean;
  /** How long the step took. */
  readonly tookMs: number;
  /** From 0 to 1. */
  readonly chance: number;
  /** The server cannot reach most hosts: then no deadline counts. */
  readonly isPartitioned: boolean;
  /** If the host is silent, other hosts have answered since: the server has not lost its own network. */
  readonly isSilenceTrusted: boolean;
}

/** Decides how work goes on: pure, so that every case is a row of a table. */
export function nextMove(outcome: Outcome, situation: Situation): Move {
  const { progress, step, isLastStep } = situation;
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'given up', problem: outcome.problem, learned: outcome.learned };
    case 'aborted':
      return { kind: 'aborted' };
    case 'noop':
      return { kind: 'finished', progress, isSettled: true, learned: outcome.learned };
    case 'done': {
      const { learned, result } = outcome;
      const next = {
        ...NOT_BEGUN,
        done: { ...progress.done, [step.name]: result },
        retreat: progress.retreat,
      };
      return isLastStep
        ? { kind: 'finished', progress: next, isSettled: false, learned }
        : { kind: 'next step', progress: next, learned };
    }
    case 'waiting':
      return keepWaiting(outcome, situation);
    case 'retry':
      return tryAgain(outcome, situation);
  }
}

/** The step has not failed, and its deadline counts all the same. */
function keepWaiting(
  { pauseMs: pause, notes, problem, problemAtDeadline }: Extract<Outcome, { kind: 'waiting' }>,
  { progress, step, tookMs, isPartitioned }: Situation,
): Move {
  const spentMs = Math.round(progress.spentMs + (isPartitioned ? 0 : tookMs));
  if (isOutOfPatience(step.patience, spentMs))
    return { kind: 'given up', problem: problemAtDeadline, learned: {} };
  const pauseMs = Math.ceil(pause);
  const waiting = {
    ...progress,
    step: step.name,
    spentMs: spentMs + (isPartitioned ? 0 : pauseMs),
    problem,
    notes,
  };
  return { kind: 'pause', progress: waiting, pauseMs, isSilence: false, asksToReboot: false };
}

function tryAgain(
  { problem, isRoundOver, isSilence, asksToReboot, notes = {} }: Extract<Outcome, { kind: 'retry' }>,
  { progress, step, tookMs, chance, isPartitioned, isSilenceTrusted }: Situation,
): Move {
  const attempts = progress.attempts + 1;
  const round = progress.round + (isRoundOver ? 1 : 0);
  const spentMs = Math.round(progress.spentMs + (isPartitioned ? 0 : tookMs));
  if (isOutOfPatience(step.patience, spentMs) && (!isSilence || isSilenceTrusted))
    return { kind: 'given up', problem, learned: {} };
  const pause = Math.round(pauseOf(step.patience, attempts, chance));
  const tried = {
    ...progress,
    step: step.name,
    attempts,
    round,
    spentMs: spentMs + (isPartitioned ? 0 : pause),
    problem,
    notes,
  };
  return { kind: 'pause', progress: tried, pauseMs: pause, isSilence, asksToReboot: asksToReboot === true };
}
