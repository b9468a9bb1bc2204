import type { CommanderError } from 'commander';
import { Command } from 'commander';
import { formatCommandsFirst } from './help.ts';

/** Exit codes are part of the public interface and never change. */
export const EXIT_CODES = {
  done: 0,
  /** The command or the operation it waited for failed. */
  failed: 1,
  usage: 2,
  /** No server responds, or no server is available. */
  unreachable: 3,
  /** The server refused the request. */
  rejected: 4,
  notFound: 5,
  /** The server settings are invalid and an administrator must fix them; EX_CONFIG of sysexits.h. */
  misconfigured: 78,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

// The base of the client program and the server program. It imports neither.

/** Creates a program without commands. `writeError` prints usage errors. */
export const createRootCommand = (writeError: (text: string) => void): Command =>
  new Command('hostler')
    .description('Manage clusters of Linux hosts')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .configureHelp({ formatHelp: formatCommandsFirst })
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({ writeErr: text => writeError(text.replace(/^error: /, 'hostler: ')) });

/** `-o=json` is `-o json`, as in kubectl. Commander keeps the `=` in the value. */
export function removeEqualsSigns(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) => (end < 0 || index < end ? word.replace(/^(-[ol])=/, '$1') : word));
}

/** The exit code after Commander has printed a usage error or the help. */
export const toExitCode = ({ exitCode }: CommanderError): ExitCode =>
  exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;

/** Environment variables of client commands. Each overrides the stored context. */
export const CLIENT_VARIABLES = [
  'HOSTLER_CONTEXT',
  'HOSTLER_URL',
  'HOSTLER_USER',
  'HOSTLER_PASSWORD',
  'HOSTLER_CA_FILE',
] as const;

export type ClientEnvironment = Readonly<Partial<Record<(typeof CLIENT_VARIABLES)[number], string | undefined>>>;
