// Creates Commander commands and their actions: common options, argument parsing and the session of a command.

import type { Argument } from 'commander';
import { Command, Option } from 'commander';
import type { ContextFlags } from './contexts/resolve-context.ts';
import { resolveContext } from './contexts/resolve-context.ts';
import { FORMATS, parseOutputOption, readOutputFormat } from './output/output-options.ts';
import { Printer } from './output/printer.ts';
import type { LocalSession, Session } from './session.ts';
import { openSession } from './session.ts';
import type { Terminal } from './terminal/terminal.ts';
import { withInterruptSignal } from './terminal/terminal.ts';
import { watch } from './watch.ts';

export interface CommonOptions extends ContextFlags {
  readonly output?: string;
  readonly debug?: true;
  /** Only of lists. */
  readonly sort?: string;
}

export interface YesOption {
  readonly yes?: true;
}

export type RegisterCommands = (program: Command, cli: ActionBuilder) => void;

type Action<S, Options, Args extends readonly unknown[]> = (
  session: S,
  options: Options & CommonOptions,
  ...args: Args
) => Promise<void>;

type CommanderAction = (...actionArgs: unknown[]) => Promise<void>;

export const collectValues = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  value,
];

export const yesOption = () => new Option('-y, --yes', 'Skip the confirmation');

export function addCommand(parent: Command, name: string, description: string, ...args: readonly Argument[]): Command {
  const command = parent.command(name).description(description);
  for (const argument of args) command.addArgument(argument);
  return command;
}

export function withCommonOptions(program: Command): Command {
  return program
    .option('--context <context>', 'Context to use, created by `hostler login` (HOSTLER_CONTEXT)')
    .option(
      '--server <url>',
      'Server URL; repeat it to add servers of the same store (HOSTLER_URL, comma-separated)',
      collectValues,
    )
    .option('--user <user>', 'Account name (HOSTLER_USER; password in HOSTLER_PASSWORD)')
    .option('--ca-file <file>', 'PEM file with additional CA certificates to trust (HOSTLER_CA_FILE)')
    .addOption(
      new Option('-o, --output <format>', 'Output format, or jsonpath=QUERY to select values')
        .choices(FORMATS)
        .argParser(parseOutputOption),
    )
    .option('--debug', 'Print stack traces');
}

export class ActionBuilder {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  withSession<Options, Args extends readonly unknown[]>(action: Action<Session, Options, Args>): CommanderAction {
    return async (...actionArgs) => {
      const { args, options } = parseActionArgs<Options, Args>(actionArgs);
      await action(await this.#openSession(options), options, ...args);
    };
  }

  /** For an action that only shows data. Adds `--watch`, which repeats it until Ctrl-C. */
  addWatchAction<Options, Args extends readonly unknown[]>(command: Command, action: Action<Session, Options, Args>) {
    command.option('-w, --watch', 'Refresh the output until Ctrl-C').action(async (...actionArgs) => {
      const { args, options, title } = parseActionArgs<Options & { readonly watch?: true }, Args>(actionArgs);
      const render = (session: Session) => action(session, options, ...args);
      if (!options.watch) return render(await this.#openSession(options));
      await withInterruptSignal(this.terminal, async signal =>
        watch(await this.#openSession(options, signal), { title, signal, render }),
      );
    });
  }

  /** A watch action that prints a list. Adds `--sort`. */
  addListAction<Options, Args extends readonly unknown[]>(command: Command, action: Action<Session, Options, Args>) {
    command.option('--sort <column>', 'Sort by this column; -COLUMN reverses the order');
    this.addWatchAction(command, action);
  }

  /** An action that sends no requests. */
  withoutSession<Options, Args extends readonly unknown[]>(
    action: Action<LocalSession, Options, Args>,
  ): CommanderAction {
    return async (...actionArgs) => {
      const { args, options } = parseActionArgs<Options, Args>(actionArgs);
      await action({ terminal: this.terminal, printer: await this.#createPrinter(options) }, options, ...args);
    };
  }

  async #createPrinter({ output = 'table', sort }: CommonOptions): Promise<Printer> {
    return new Printer(this.terminal, await readOutputFormat(output), sort);
  }

  async #openSession(options: CommonOptions, signal?: AbortSignal): Promise<Session> {
    const context = resolveContext(this.terminal, options);
    return openSession(this.terminal, await this.#createPrinter(options), context, signal);
  }
}

const getCommandPath = (command: Command): readonly string[] => [
  ...(command.parent ? getCommandPath(command.parent) : []),
  command.name(),
];

/**
 * Commander passes an action its arguments, its own options, and the command, which also has the global options.
 * The definition of the command guarantees the types.
 */
function parseActionArgs<Options, Args>(actionArgs: readonly unknown[]) {
  const command = actionArgs.at(-1);
  if (!(command instanceof Command)) throw new TypeError('an action must be called by its command');
  const args = actionArgs.slice(0, -2);
  return {
    args: args as Args,
    options: command.optsWithGlobals() as Options & CommonOptions,
    title: [...getCommandPath(command), ...args.flat().filter(arg => arg !== undefined)].join(' '),
  };
}
