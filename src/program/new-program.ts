// The base of the client program and the server program: name, description, usage errors and exit codes. It imports neither program.

import type { CommanderError } from 'commander';
import { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** A program without commands; `tell` prints usage errors. */
export const newProgram = (tell: (text: string) => void): Command =>
  new Command('hostler')
    .description('Manage clusters of Linux hosts')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({ writeErr: text => tell(text.replace(/^error: /, 'hostler: ')) });

/** The exit code after Commander has printed a usage error or the help. */
export const exitCodeOf = ({ exitCode }: CommanderError): ExitCode =>
  exitCode === 0 ? EXIT.done : EXIT.usage;
