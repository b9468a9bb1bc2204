// The help of a group starts with its commands. Global options are listed only in the help of the client program.

import type { Command } from 'commander';
import { Help } from 'commander';

const formatDefault = (command: Command, helper: Help): string =>
  Help.prototype.formatHelp.call(helper, command, helper);

const formatWithoutOptions = (command: Command, helper: Help): string =>
  formatDefault(command, Object.assign(Object.create(helper) as Help, { visibleOptions: () => [] }));

function formatOptions(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const items = helper
    .visibleOptions(command)
    .map(option =>
      helper.formatItem(
        helper.styleOptionTerm(helper.optionTerm(option)),
        width,
        helper.styleOptionDescription(helper.optionDescription(option)),
        helper,
      ),
    );
  return helper.formatItemList('Options:', items, helper).join('\n');
}

/** With the commands before the options. */
export function formatCommandsFirst(command: Command, helper: Help): string {
  if (command.commands.length === 0) return formatDefault(command, helper);
  return `${formatWithoutOptions(command, helper)}\n${formatOptions(command, helper)}`;
}

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
