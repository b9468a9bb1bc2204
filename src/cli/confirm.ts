import { EXIT } from '../program/exit-codes.ts';
import { CliProblem, usageProblem } from './cli-problem.ts';
import type { Terminal } from './terminal.ts';

/** Asks before something is done that cannot be undone. A script has to say so beforehand. */
export async function confirm(
  terminal: Terminal,
  question: string,
  isSaidYes: boolean | undefined,
): Promise<void> {
  if (isSaidYes) return;
  if (!terminal.canAsk) throw usageProblem(`${question} Confirm with --yes (no terminal to prompt on)`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliProblem(EXIT.failed, 'cancelled, nothing was changed');
}
