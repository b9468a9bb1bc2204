import type { Argv, Ran } from '../domain/command.ts';

/** Asked with the rights of root. */
export const WHO_AM_I: Argv = ['id', '-u'];

/** Whether the answer says that those were given, whatever a profile says before it. */
export const isRoot = ({ exitCode, stdout }: Ran): boolean =>
  exitCode === 0 && /^0\s*$/m.test(Buffer.from(stdout).toString('latin1'));
