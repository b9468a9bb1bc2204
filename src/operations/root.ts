import type { Argv, Ran } from '../domain/command.ts';
import { lastLine } from '../lib/text/harmless.ts';

/** Asked with the rights of root. */
export const WHO_AM_I: Argv = ['id', '-u'];

/** Whether the answer says that those were given, whatever a profile says before it. */
const isRoot = ({ exitCode, stdout }: Ran): boolean =>
  exitCode === 0 && /^0\s*$/m.test(Buffer.from(stdout).toString('latin1'));

/** Why we are not root, when the answer says so; what sudo complained of is quoted. */
export function rootProblem(who: Ran): string | undefined {
  if (isRoot(who)) return undefined;
  const quote = lastLine(who.stderr);
  return `the user is not root and has no passwordless sudo${quote && `: ${quote}`}`;
}
