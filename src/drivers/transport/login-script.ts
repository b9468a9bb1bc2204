// How a command gets to a host. Nobody knows the login shell of a user: fish, tcsh and sh each read a quoted line in another way. So
// sshd is asked for `sh` and nothing else, and the command goes to its input as a script: quoted for `sh` only, and not in the list of
// processes. What a profile says before is cut off at a mark that the script prints first.

import type { Argv } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { shellWord } from '../../lib/text/shell-word.ts';

/** What is asked of sshd: every shell reads this in the same way. */
export const LOGIN_COMMAND = 'exec /bin/sh';

/** Where administrators' tools are, which some systems leave out for users other than root. */
const MORE_PATH = '/usr/local/sbin:/usr/sbin:/sbin';

interface CommandUser {
  /** Who is logged in. */
  readonly user: string;
  readonly asRoot: boolean;
}

const START = `PATH="\${PATH:-/usr/bin:/bin}:${MORE_PATH}"`;

/** By `exec`, which takes programs only: a shell has commands of its own by the same names. */
function becoming(argv: Argv, { user, asRoot }: CommandUser): string {
  const command = argv.map(shellWord).join(' ');
  return `exec ${asRoot && user !== 'root' ? `sudo -n -- ${command}` : command}`;
}

/** Where the command reads from, and the lines that follow its own. What it is given is text that ends with a line. */
function inputOf(input: Secret | undefined, mark: string): readonly [from: string, ...lines: string[]] {
  return input === undefined ? ['</dev/null'] : [`<<'${mark}'`, input.reveal().replace(/\n$/, ''), mark];
}

/** The script that prints the mark on both streams, and becomes the command. */
export function loginScript(argv: Argv, login: CommandUser, mark: string, input?: Secret): string {
  const begin = `printf '%s\\n' ${mark}`;
  const [from, ...lines] = inputOf(input, mark);
  return [START, begin, `${begin} >&2`, `${becoming(argv, login)} ${from}`, ...lines, ''].join('\n');
}

export interface ScriptMarks {
  readonly begin: string;
  readonly end: string;
}

/**
 * The script that prints a mark on both streams before the command and another after it, with its exit code: for those who are not
 * told how a command ended. The shell itself says nothing in between, not even that a signal has ended the command.
 */
export function reportingScript(
  argv: Argv,
  login: CommandUser,
  { begin, end }: ScriptMarks,
  input?: Secret,
): string {
  const [from, ...lines] = inputOf(input, begin);
  return [
    START,
    'exec 3>&2 2>/dev/null',
    `printf '%s\\n' ${begin}`,
    `printf '%s\\n' ${begin} >&3`,
    `(${becoming(argv, login)}) 2>&3 3>&- ${from}`,
    ...lines,
    'code=$?',
    `printf '%s %s\\n' ${end} $code`,
    `printf '%s %s\\n' ${end} $code >&3`,
    '',
  ].join('\n');
}

/** The answer where the mark was not printed. `said` is harmless already. */
export function shellRefused(user: string, exitCode: number | undefined, said: string): TransportFailure {
  const ending = exitCode === undefined ? '' : ` and exited with ${exitCode}`;
  const quoted = said && `: ${said}`;
  return new TransportFailure(
    'no_shell',
    `the login shell of ${harmless(user)} does not run /bin/sh${ending}${quoted}`,
  );
}
