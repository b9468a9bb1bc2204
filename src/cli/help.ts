// The help of a group starts with its commands. Global options are listed only in the help of the program.

import type { Command, Help } from 'commander';
import { formatCommandsFirst, formatWithoutOptions } from './program.ts';

function getProgram(command: Command): Command {
  return command.parent === null ? command : getProgram(command.parent);
}

/** The names of all global options, in one or two lines. */
function formatGlobalOptions(command: Command, helper: Help): string {
  const names = getProgram(command).options.map(({ short, long }) => [short, long].filter(Boolean).join('/'));
  const text = `Global options: ${names.join(', ')}. See: hostler --help`;
  return `${helper.boxWrap(text, helper.helpWidth ?? 80)}\n`;
}

export function formatHelp(command: Command, helper: Help): string {
  if (command.parent === null) return formatCommandsFirst(command, helper);
  const text =
    command.commands.length > 0 ? formatWithoutOptions(command, helper) : formatCommandsFirst(command, helper);
  return `${text}\n${formatGlobalOptions(command, helper)}`;
}
