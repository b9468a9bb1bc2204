import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { CliError } from '../errors.ts';
import { EXIT_CODES } from '../program.ts';
import type { Session } from '../session.ts';

export interface CheckResult {
  readonly value: { readonly name: string; readonly ok: boolean; readonly problems: readonly string[] };
  /** For example "network overlay: connection check". */
  readonly label: string;
  /** Printed in parentheses after a success. */
  readonly note: string;
}

/** Throws if the check found problems. */
export async function printCheckResult(
  { printer }: Pick<Session, 'printer'>,
  { value, label, note }: CheckResult,
): Promise<void> {
  const { ok, name, problems } = value;
  const suffix = note === '' ? '' : ` (${sanitizeLine(note)})`;
  if (ok || !printer.isHumanReadable) await printer.printResult(`${label} passed${suffix}`, { value, name });
  if (ok) return;
  const reasons = problems.map(problem => `\n  ${sanitizeLine(problem, MAX_MESSAGE_LENGTH)}`).join('');
  throw new CliError(EXIT_CODES.failed, `${label} failed:${reasons}`);
}
