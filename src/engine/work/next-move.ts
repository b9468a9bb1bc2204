import { isOutOfPatience, pauseMs } from '../../domain/patience.ts';
import type { Progress } from '../../domain/work.ts';
import { NOT_BEGUN } from '../../domain/work.ts';
import type { Outcome, Step } from '../../operations/step.ts';

/** What follows from the outcome of a step. */
export type Move =
  | { readonly kind: 'next step'; readonly progress: Progress }
  | { readonly kind: 'finished' }
  | { readonly kind: 'pause'; readonly progress: Progress; readonly pauseMs: number }
  | { readonly kind: 'given up'; readonly problem: string };

interface Situation {
  readonly progress: Progress;
  readonly step: Pick<Step, 'name' | 'patience'>;
  readonly isLastStep: boolean;
  /** How long the step took. */
  readonly tookMs: number;
  /** From 0 to 1. */
  readonly chance: number;
}

/** Decides how work goes on: pure, so that every case is a row of a table. */
export function nextMove(outcome: Outcome, situation: Situation): Move {
  const { progress, step, isLastStep, tookMs, chance } = situation;
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'given up', problem: outcome.problem };
    case 'done': {
      if (isLastStep) return { kind: 'finished' };
      const done = { ...progress.done, [step.name]: outcome.result };
      return { kind: 'next step', progress: { ...NOT_BEGUN, done } };
    }
    case 'again': {
      const { problem, isRoundOver } = outcome;
      const attempts = progress.attempts + 1;
      const round = progress.round + (isRoundOver ? 1 : 0);
      const spentMs = Math.round(progress.spentMs + tookMs);
      if (isOutOfPatience(step.patience, spentMs)) return { kind: 'given up', problem };
      const pause = Math.round(pauseMs(step.patience, attempts, chance));
      return {
        kind: 'pause',
        progress: { ...progress, step: step.name, attempts, round, spentMs: spentMs + pause, problem },
        pauseMs: pause,
      };
    }
  }
}
