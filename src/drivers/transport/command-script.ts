// Commands are sent as a script on the standard input of `sh`. The login shell of a user is unknown, and fish, tcsh and
// sh differ in quoting, so sshd runs only `exec /bin/sh`. The command is therefore quoted only for `sh` and does not
// appear in the process list. The script prints a marker first, so that the output of profiles can be removed.

import type { Argv } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { shellQuote } from '../../lib/text.ts';

/** All shells parse this line in the same way. */
export const LOGIN_COMMAND = 'exec /bin/sh';

/** Directories of administration tools, which some systems omit from PATH for users other than root. */
const ADMIN_PATH = '/usr/local/sbin:/usr/sbin:/sbin';

interface CommandUser {
  readonly user: string;
  readonly asRoot: boolean;
}

const SET_PATH = `PATH="\${PATH:-/usr/bin:/bin}:${ADMIN_PATH}"`;

/** `exec` runs only programs; otherwise shell builtins with the same name would run. */
function execLine(argv: Argv, { user, asRoot }: CommandUser): string {
  const command = argv.map(shellQuote).join(' ');
  return `exec ${asRoot && user !== 'root' ? `sudo -n -- ${command}` : command}`;
}

/** Returns the redirection and the lines of the here-document. The input must end with a newline. */
function inputRedirect(input: Secret | undefined, marker: string): readonly [redirect: string, ...lines: string[]] {
  return input === undefined ? ['</dev/null'] : [`<<'${marker}'`, input.reveal().replace(/\n$/, ''), marker];
}

/** The script prints the marker on both streams and is replaced by the command. */
export function commandScript(argv: Argv, login: CommandUser, marker: string, input?: Secret): string {
  const printMarker = `printf '%s\\n' ${marker}`;
  const [redirect, ...lines] = inputRedirect(input, marker);
  return [SET_PATH, printMarker, `${printMarker} >&2`, `${execLine(argv, login)} ${redirect}`, ...lines, ''].join('\n');
}

export interface ScriptMarkers {
  readonly begin: string;
  readonly end: string;
}

// Prints a marker before the command, and another with the exit code after it, for transports that do not report it.
/** The standard error of the shell itself is discarded, because it reports signals. */
export function commandScriptWithStatus(
  argv: Argv,
  login: CommandUser,
  { begin, end }: ScriptMarkers,
  input?: Secret,
): string {
  const [redirect, ...lines] = inputRedirect(input, begin);
  return [
    SET_PATH,
    'exec 3>&2 2>/dev/null',
    `printf '%s\\n' ${begin}`,
    `printf '%s\\n' ${begin} >&3`,
    `(${execLine(argv, login)}) 2>&3 3>&- ${redirect}`,
    ...lines,
    'code=$?',
    `printf '%s %s\\n' ${end} $code`,
    `printf '%s %s\\n' ${end} $code >&3`,
    '',
  ].join('\n');
}

/** The result if the marker is missing. `output` must be sanitized. */
export function noShellFailure(user: string, exitCode: number | undefined, output: string): TransportFailure {
  const ending = exitCode === undefined ? '' : ` and exited with ${exitCode}`;
  const quoted = output && `: ${output}`;
  return new TransportFailure(
    'no_shell',
    `the login shell of ${sanitizeLine(user)} does not run /bin/sh${ending}${quoted}`,
  );
}
