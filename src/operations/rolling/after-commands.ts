import { failed } from '../outcomes.ts';
import type { Outcome, StepContext } from '../step.ts';

/** What ends badly so often in a row will not end well: a mirror that is away for a moment is tried again, a version that does not exist is not. */
const ROUNDS = 3;

/** What follows when commands did not succeed: they are begun anew a few times, and no more. */
export function afterCommands(
  { progress }: Pick<StepContext, 'progress'>,
  problem: Outcome | undefined,
): Outcome | undefined {
  if (problem?.kind !== 'retry' || !problem.isRoundOver || progress.round + 1 < ROUNDS) return problem;
  return failed(problem.problem);
}
