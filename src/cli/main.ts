import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { SERVER_COMMANDS } from '../../bin/server-commands.js';
import type { RegisterCommands } from './actions.ts';
import { ActionBuilder, withCommonOptions } from './actions.ts';
import { addAliases, replaceAliases } from './aliases.ts';
import { addApiCommand } from './commands/api.ts';
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
import { addLogsCommand } from './commands/operation/logs.ts';
import { addOperationCommands } from './commands/operation.ts';
import { addStartCommands } from './commands/start-operation.ts';
import { addTokenCommands } from './commands/token.ts';
import { addUserCommands } from './commands/user.ts';
import { addUserDataCommands } from './commands/user-data.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { describeError, ExitError, usageError } from './errors.ts';
import { formatHelp } from './help.ts';
import { createRootCommand, EXIT_CODES, toExitCode } from './program.ts';
import type { Terminal } from './terminal/terminal.ts';
import { rejectUnknownCommand } from './unknown-commands.ts';

const HELP_GROUP = 'Server commands (run on the server machine):';

/** Only for the help: `bin/hostler.js` runs server commands if they are the first arguments. */
function addServerCommandStubs(program: Command): void {
  for (const [path, description] of Object.entries(SERVER_COMMANDS)) {
    const [name = '', groupName] = path.split(' ').reverse();
    const parent = program.commands.find(command => command.name() === groupName) ?? program;
    parent
      .command(name)
      .description(description)
      .helpGroup(HELP_GROUP)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw usageError(
          `${path} is a server command. Put it first, followed by its options: hostler ${path} [options]`,
        );
      });
  }
}

/** In the order of the help text. */
const COMMANDS: readonly RegisterCommands[] = [
  addHostCommands,
  addClusterCommands,
  addStartCommands,
  addOperationCommands,
  addLogsCommand,
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
  addApiCommand,
  addCompletionCommands,
];

const EXIT_CODES_HELP = `
Exit codes: 0 success, 1 failure, 2 usage error, 3 server unreachable, 4 request rejected,
5 not found, 78 invalid settings (server commands), 130 interrupted.
`;

export function createProgram(terminal: Terminal, version: string): Command {
  const program = createRootCommand(text => terminal.writeErr(text))
    .exitOverride()
    .configureHelp({ formatHelp })
    .configureOutput({
      writeOut: text => terminal.writeOut(text),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColor,
      getErrHasColors: () => terminal.hasColor,
    })
    .addHelpText('after', EXIT_CODES_HELP);
  withCommonOptions(program);
  const cli = new ActionBuilder(terminal);
  program.commandsGroup('Commands:');
  for (const add of COMMANDS) add(program, cli);
  program
    .command('version')
    .description('Print the version; also: hostler --version')
    .action(cli.withoutSession(({ printer }) => printer.printResult(version, { version }, version)));
  addAliases(program);
  addServerCommandStubs(program);
  return program;
}

export async function runCli(terminal: Terminal, argv: readonly string[], version: string): Promise<number> {
  const program = createProgram(terminal, version);
  try {
    rejectUnknownCommand(program, argv);
    await program.parseAsync(replaceAliases(program, argv), { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof CommanderError) return toExitCode(error);
    if (error instanceof ExitError) return error.exitCode;
    const { exitCode, lines } = describeError(error);
    terminal.writeErr(`hostler: ${lines.join('\n')}\n`);
    if (program.opts()['debug'] === true && error instanceof Error) terminal.writeErr(`${error.stack}\n`);
    return exitCode;
  }
}
