import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { Session } from '../session.ts';

export interface Checked {
  readonly value: { readonly name: string; readonly ok: boolean; readonly problems: readonly string[] };
  /** As in "network overlay". */
  readonly what: string;
  /** What else is known when all is well. */
  readonly more: string;
}

/** Tells how a check went; one that found something ends as a failure. */
export async function showChecked(
  { print }: Pick<Session, 'print'>,
  { value, what, more }: Checked,
): Promise<void> {
  const { ok, name, problems } = value;
  const aside = more === '' ? '' : ` (${harmless(more)})`;
  if (ok || !print.isForPeople) await print.done(`${what}: test passed${aside}`, { value, name });
  if (ok) return;
  const reasons = problems.map(each => `\n  ${harmless(each, LONGEST_SENTENCE)}`).join('');
  throw new CliProblem(EXIT.failed, `${what}: test failed:${reasons}`);
}
