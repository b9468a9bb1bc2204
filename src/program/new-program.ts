// What `hostler` is on every machine, whether a command asks a service or runs where one does: the same name, the same words about a
// wrong command, the same exit codes. It knows neither side.

import type { CommanderError } from 'commander';
import { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** A program without commands; `tell` says what is wrong with the arguments. */
export const newProgram = (tell: (text: string) => void): Command =>
  new Command('hostler')
    .description('Manages clusters of Linux hosts through a REST interface.')
    .showHelpAfterError('(--help tells more)')
    .configureOutput({ writeErr: text => tell(text.replace(/^error: /, 'hostler: ')) });

/** How to end once Commander has told what was wrong with the arguments, or has shown the help that was asked for. */
export const exitCodeOf = ({ exitCode }: CommanderError): ExitCode =>
  exitCode === 0 ? EXIT.done : EXIT.usage;
