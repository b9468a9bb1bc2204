import type { Learned } from '../../domain/hosts/learned.ts';
import { isOutOfPatience, pauseMs } from '../../domain/work/patience.ts';
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
    }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'given up'; readonly problem: string; readonly learned: Learned };

interface Situation {
  readonly progress: Progress;
  readonly step: Pick<Step, 'name' | 'patience'>;
  readonly isLastStep: boolean;
  /** How long the step took. */
  readonly tookMs: number;
  /** From 0 to 1. */
  readonly chance: number;
  /** The server sees nobody: then that a host is silent says nothing of the host. */
  readonly isBlind: boolean;
}

/** Decides how work goes on: pure, so that every case is a row of a table. */
export function nextMove(outcome: Outcome, situation: Situation): Move {
  const { progress, step, isLastStep } = situation;
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'given up', problem: outcome.problem, learned: outcome.learned };
    case 'withdrawn':
      return { kind: 'withdrawn' };
    case 'settled':
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
    case 'waiting': {
      const { pauseMs: pause, notes } = outcome;
      const waiting = { ...progress, step: step.name, problem: '', notes };
      return { kind: 'pause', progress: waiting, pauseMs: Math.ceil(pause), isSilence: false };
    }
    case 'again':
      return tryAgain(outcome, situation);
  }
}

function tryAgain(
  { problem, isRoundOver, isSilence, notes = {} }: Extract<Outcome, { kind: 'again' }>,
  { progress, step, tookMs, chance, isBlind }: Situation,
): Move {
  const attempts = progress.attempts + 1;
  const round = progress.round + (isRoundOver ? 1 : 0);
  const isCounted = !(isSilence && isBlind);
  const spentMs = Math.round(progress.spentMs + (isCounted ? tookMs : 0));
  if (isOutOfPatience(step.patience, spentMs)) return { kind: 'given up', problem, learned: {} };
  const pause = Math.round(pauseMs(step.patience, attempts, chance));
  const tried = {
    ...progress,
    step: step.name,
    attempts,
    round,
    spentMs: spentMs + (isCounted ? pause : 0),
    problem,
    notes,
  };
  return { kind: 'pause', progress: tried, pauseMs: pause, isSilence };
}
