// How a command gets to a host. Nobody knows the login shell of a user: fish, tcsh and sh each read a quoted line in another way. So
// sshd is asked for `sh` and nothing else, and the command goes to its input as a script: quoted for `sh` only, and not in the list of
// processes. What a profile says before is cut off at a mark that the script prints first.

import type { Argv } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { shellQuote } from '../../lib/text.ts';

/** What is asked of sshd: every shell reads this in the same way. */
export const LOGIN_COMMAND = 'exec /bin/sh';

/** Where administrators' tools are, which some systems leave out for users other than root. */
const ADMIN_PATH = '/usr/local/sbin:/usr/sbin:/sbin';

interface CommandUser {
  /** Who is logged in. */
  readonly user: string;
  readonly asRoot: boolean;
}

const SET_PATH = `PATH="\${PATH:-/usr/bin:/bin}:${ADMIN_PATH}"`;

/** By `exec`, which takes programs only: a shell has commands of its own by the same names. */
function execLine(argv: Argv, { user, asRoot }: CommandUser): string {
  const command = argv.map(shellQuote).join(' ');
  return `exec ${asRoot && user !== 'root' ? `sudo -n -- ${command}` : command}`;
}

/** Where the command reads from, and the lines that follow its own. What it is given is text that ends with a line. */
function inputRedirect(
  input: Secret | undefined,
  marker: string,
): readonly [from: string, ...lines: string[]] {
  return input === undefined ? ['</dev/null'] : [`<<'${marker}'`, input.reveal().replace(/\n$/, ''), marker];
}

/** The script that prints the mark on both streams, and becomes the command. */
export function commandScript(argv: Argv, login: CommandUser, marker: string, input?: Secret): string {
  const printMarker = `printf '%s\\n' ${marker}`;
  const [from, ...lines] = inputRedirect(input, marker);
  return [SET_PATH, printMarker, `${printMarker} >&2`, `${execLine(argv, login)} ${from}`, ...lines, ''].join(
    '\n',
  );
}

export interface ScriptMarkers {
  readonly begin: string;
  readonly end: string;
}

/**
 * The script that prints a mark on both streams before the command and another after it, with its exit code: for those who are not
 * told how a command ended. The shell itself says nothing in between, not even that a signal has ended the command.
 */
export function commandScriptWithStatus(
  argv: Argv,
  login: CommandUser,
  { begin, end }: ScriptMarkers,
  input?: Secret,
): string {
  const [from, ...lines] = inputRedirect(input, begin);
  return [
    SET_PATH,
    'exec 3>&2 2>/dev/null',
    `printf '%s\\n' ${begin}`,
    `printf '%s\\n' ${begin} >&3`,
    `(${execLine(argv, login)}) 2>&3 3>&- ${from}`,
    ...lines,
    'code=$?',
    `printf '%s %s\\n' ${end} $code`,
    `printf '%s %s\\n' ${end} $code >&3`,
    '',
  ].join('\n');
}

/** The answer where the mark was not printed. `said` is harmless already. */
export function noShellFailure(user: string, exitCode: number | undefined, output: string): TransportFailure {
  const ending = exitCode === undefined ? '' : ` and exited with ${exitCode}`;
  const quoted = output && `: ${output}`;
  return new TransportFailure(
    'no_shell',
    `the login shell of ${sanitizeLine(user)} does not run /bin/sh${ending}${quoted}`,
  );
}
