import type { Argv } from '../../domain/command.ts';

/** What a script is given, by a command that begins like this; `undefined` for every other command. */
export const scriptArguments = (prefix: Argv, argv: Argv): readonly string[] | undefined =>
  prefix.every((word, index) => word === argv[index]) ? argv.slice(prefix.length) : undefined;
