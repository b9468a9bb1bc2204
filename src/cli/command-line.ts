// How commands are made: each noun adds its own to the program, and says what to do with a session. Everything that all have in common
// is here: the options, how they are read, how a refusal is told.

import { Command, Option } from 'commander';
import { contextOf } from './contexts/context-of.ts';
import type { Format } from './output/printer.ts';
import { FORMATS, Printer } from './output/printer.ts';
import type { Session } from './session.ts';
import { openSession } from './session.ts';
import type { Terminal } from './terminal.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { watch } from './watch.ts';

/** What every command takes. */
export interface CommonOptions {
  readonly context?: string;
  readonly server?: readonly string[];
  readonly user?: string;
  readonly caFile?: string;
  readonly output?: Format;
  readonly debug?: true;
}

/** Adds the commands of one noun. */
export type AddCommands = (program: Command, cli: CommandLine) => void;

type Work<Options, Args extends readonly unknown[]> = (
  session: Session,
  options: Options & CommonOptions,
  ...args: Args
) => Promise<void>;

/** Collects the values of a repeatable option. */
export const several = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

export const watchOption = () => new Option('-w, --watch', 'Refresh the output until Ctrl-C');
export const yesOption = () => new Option('-y, --yes', 'Skip the confirmation');

export function withCommonOptions(program: Command): Command {
  return program
    .option('--context <context>', 'Context to use, created by `hostler login` (HOSTLER_CONTEXT)')
    .option(
      '--server <url>',
      'Server URL; repeat it to add servers of the same store (HOSTLER_URL, comma-separated)',
      several,
    )
    .option('--user <user>', 'Account name (HOSTLER_USER; password in HOSTLER_PASSWORD)')
    .option('--ca-file <file>', 'PEM file with additional CA certificates to trust (HOSTLER_CA_FILE)')
    .addOption(new Option('-o, --output <format>', 'Output format').choices([...FORMATS]))
    .option('--debug', 'Print stack traces');
}

export class CommandLine {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  printer({ output = 'table' }: CommonOptions): Printer {
    return new Printer(this.terminal, output);
  }

  async #inSession(
    options: CommonOptions,
    work: (session: Session) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const context = contextOf(this.terminal, options);
    await work(openSession(this.terminal, this.printer(options), context, signal && { signal }));
  }

  /** An action that talks to the service. */
  withSession<Options extends object = object, Args extends readonly unknown[] = readonly []>(
    work: Work<Options, Args>,
  ): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const { args, options } = readGiven<Options, Args>(given);
      await this.#inSession(options, session => work(session, options, ...args));
    };
  }

  /** An action that only shows something: with `--watch` it does so again and again. */
  showing<Options extends object = object, Args extends readonly unknown[] = readonly []>(
    work: Work<Options, Args>,
  ): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const { args, options, title } = readGiven<Options & { readonly watch?: true }, Args>(given);
      const draw = (session: Session) => work(session, options, ...args);
      if (!options.watch) return this.#inSession(options, draw);
      await untilInterrupted(this.terminal, signal =>
        this.#inSession(options, session => watch(session, { title, signal, draw }), signal),
      );
    };
  }

  /** An action that talks to nobody. */
  alone<Options extends object = object, Args extends readonly unknown[] = readonly []>(
    work: (options: Options & CommonOptions, ...args: Args) => Promise<void>,
  ): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const { args, options } = readGiven<Options, Args>(given);
      await work(options, ...args);
    };
  }
}

/** As they are typed, one behind the other. */
const namesOf = (command: Command): readonly string[] => [
  ...(command.parent ? namesOf(command.parent) : []),
  command.name(),
];

/** Commander gives an action its arguments, its own options, and the command, which knows the others too. That they have these types is what the command was told. */
function readGiven<Options, Args>(given: readonly unknown[]) {
  const command = given.at(-1);
  if (!(command instanceof Command)) throw new TypeError('an action is called by its command');
  const args = given.slice(0, -2);
  return {
    args: args as Args,
    options: command.optsWithGlobals() as Options & CommonOptions,
    title: [...namesOf(command), ...args.flat().filter(each => each !== undefined)].join(' '),
  };
}
