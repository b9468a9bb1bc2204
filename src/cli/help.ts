// The help of a group starts with its commands. Global options are listed only in the help of the program.

import type { Command } from 'commander';
import { Help } from 'commander';

const withOverrides = (helper: Help, overrides: Partial<Help>): Help =>
  Object.assign(Object.create(helper) as Help, overrides);

const formatDefault = (command: Command, helper: Help): string =>
  Help.prototype.formatHelp.call(helper, command, helper);

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
  if (command.commands.length === 0)
    return `${formatDefault(command, helper)}\n${formatGlobalOptions(command, helper)}`;
  const commands = formatDefault(command, withOverrides(helper, { visibleOptions: () => [] }));
  return command.parent === null
    ? `${commands}\n${formatOptions(command, helper)}`
    : `${commands}\n${formatGlobalOptions(command, helper)}`;
}
