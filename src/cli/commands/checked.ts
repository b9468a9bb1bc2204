import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { Session } from '../session.ts';

export interface Checked {
  readonly value: { readonly name: string; readonly ok: boolean; readonly problems: readonly string[] };
  /** For example "network overlay: connection check". */
  readonly what: string;
  /** Printed in parentheses after a success. */
  readonly more: string;
}

/** Prints the result of a check or test. Fails if there are problems. */
export async function showChecked(
  { print }: Pick<Session, 'print'>,
  { value, what, more }: Checked,
): Promise<void> {
  const { ok, name, problems } = value;
  const aside = more === '' ? '' : ` (${harmless(more)})`;
  if (ok || !print.isForPeople) await print.done(`${what} passed${aside}`, { value, name });
  if (ok) return;
  const reasons = problems.map(each => `\n  ${harmless(each, LONGEST_SENTENCE)}`).join('');
  throw new CliProblem(EXIT.failed, `${what} failed:${reasons}`);
}
