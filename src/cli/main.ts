// The command line for people and scripts who use the service from anywhere. It does nothing that curl could not do as well: it knows the
// client and the contract, and nothing of the service's own code.

import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { EXIT } from '../program/exit-codes.ts';
import { exitCodeOf, newProgram } from '../program/new-program.ts';
import { ProgramEnded } from './cli-problem.ts';
import type { AddCommands } from './command-line.ts';
import { CommandLine, withCommonOptions } from './command-line.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addClusterCommands } from './commands/cluster.ts';
import { addCompletionCommands } from './commands/completion.ts';
import { addContextCommands } from './commands/context.ts';
import { addDriverCommands } from './commands/driver.ts';
import { addDriverRecordCommands } from './commands/driver-record.ts';
import { addEventsCommands } from './commands/events.ts';
import { addHostCommands } from './commands/host.ts';
import { addInventoryCommands } from './commands/inventory.ts';
import { addLoginCommands } from './commands/login.ts';
import { addOperationCommands } from './commands/operation.ts';
import { addRollCommands } from './commands/roll.ts';
import { addTokenCommands } from './commands/token.ts';
import { addUserCommands } from './commands/user.ts';
import { addUserDataCommands } from './commands/user-data.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { explain } from './explain.ts';
import { addServerStubs } from './server-stubs.ts';
import type { Terminal } from './terminal.ts';
import { rejectUnknownCommand } from './unknown-command.ts';

/** In the order of the help text. */
const COMMANDS: readonly AddCommands[] = [
  addHostCommands,
  addClusterCommands,
  addRollCommands,
  addOperationCommands,
  addDriverRecordCommands,
  addDriverCommands,
  addEventsCommands,
  addAuditCommands,
  addTokenCommands,
  addUserDataCommands,
  addInventoryCommands,
  addUserCommands,
  addWebhookCommands,
  addLoginCommands,
  addContextCommands,
  addCompletionCommands,
];

const EXIT_CODES_HELP = `
Exit codes: 0 success, 1 failure, 2 usage error, 3 server unreachable, 4 request rejected,
78 invalid settings (server commands), 130 interrupted.
`;

export function makeProgram(terminal: Terminal, version: string): Command {
  const program = newProgram(text => terminal.tell(text))
    // `--version` is an option of deploy: `hostler deploy web --version 1.2`. `runCli` accepts it as the first argument only.
    .version(version, '-V', 'Print the version (also: hostler --version)')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: text => terminal.write(text),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColour,
      getErrHasColors: () => terminal.hasColour,
    })
    .addHelpText('after', EXIT_CODES_HELP);
  withCommonOptions(program);
  const cli = new CommandLine(terminal);
  program.commandsGroup('Commands:');
  for (const add of COMMANDS) add(program, cli);
  addServerStubs(program);
  return program;
}

/** Runs one command; answers how the program is to end. */
export async function runCli(terminal: Terminal, argv: readonly string[], version: string): Promise<number> {
  const program = makeProgram(terminal, version);
  try {
    rejectUnknownCommand(program, argv);
    await program.parseAsync(argv[0] === '--version' ? ['-V'] : argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error);
    if (error instanceof ProgramEnded) return error.exitCode;
    const { exitCode, lines } = explain(error);
    terminal.tell(`hostler: ${lines.join('\n')}\n`);
    if (program.opts()['debug'] === true && error instanceof Error) terminal.tell(`${error.stack}\n`);
    return exitCode;
  }
}
