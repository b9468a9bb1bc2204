// How a command gets to a host. Nobody knows the login shell of a user: fish, tcsh and sh each read a quoted line in another way. So
// sshd is asked for `sh` and nothing else, and the command goes to its input as a script: quoted for `sh` only, in this one place,
// and not in the list of processes. What a profile says before is cut off at a mark that the script prints first.

import type { Argv } from '../../domain/command.ts';

/** What is asked of sshd: every shell reads this in the same way. */
export const LOGIN_COMMAND = 'exec /bin/sh';

/** Where administrators' tools are, which some systems leave out for users other than root. */
const MORE_PATH = '/usr/local/sbin:/usr/sbin:/sbin';

function quote(word: string): string {
  if (word.includes('\0')) throw new Error('no argument of a program can contain a zero byte');
  return `'${word.replaceAll("'", "'\\''")}'`;
}

interface Login {
  /** Who is logged in. */
  readonly user: string;
  readonly asRoot: boolean;
}

/** The script that prints the mark on both streams, and becomes the command. */
export function loginScript(argv: Argv, { user, asRoot }: Login, mark: string): string {
  const command = argv.map(quote).join(' ');
  const become = asRoot && user !== 'root' ? `sudo -n -- ${command}` : command;
  return [
    `PATH="\${PATH:-/usr/bin:/bin}:${MORE_PATH}"`,
    `printf '%s\\n' ${mark}`,
    `printf '%s\\n' ${mark} >&2`,
    `exec ${become} </dev/null`,
    '',
  ].join('\n');
}
