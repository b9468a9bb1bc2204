import type { Command } from 'commander';

/** In the place of a command, for what stands before every one. */
const EVERY = '(every)';

interface CommandLine {
  readonly line: string;
  /** Whether the command is not taken without it. */
  readonly isNeeded: boolean;
}

/** Commands, their arguments, which are known by their places alone, and their options. */
function linesBelow(command: Command, path: string): readonly CommandLine[] {
  const called = path || EVERY;
  return [
    ...(path === '' ? [] : [{ line: path, isNeeded: false }]),
    ...command.registeredArguments.map(({ required }, index) => ({
      line: `${called} <${index + 1}>`,
      isNeeded: required,
    })),
    ...command.options.flatMap(({ long, short, mandatory }) =>
      [long, short].flatMap(flag => (flag ? [{ line: `${called} ${flag}`, isNeeded: mandatory }] : [])),
    ),
    ...command.commands.flatMap(each =>
      [each.name(), ...each.aliases()].flatMap(name => linesBelow(each, `${path} ${name}`.trim())),
    ),
  ];
}

const allLines = (programs: readonly Command[]) => programs.flatMap(program => linesBelow(program, ''));

export const commandLines = (programs: readonly Command[]): readonly string[] =>
  allLines(programs).map(({ line }) => line);

export const neededInCommands = (programs: readonly Command[]): readonly string[] =>
  allLines(programs).flatMap(({ line, isNeeded }) => (isNeeded ? [line] : []));
