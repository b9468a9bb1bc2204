import type { Command } from 'commander';
import { Option } from 'commander';
import type { ConfigSources } from '../configuration/config.ts';
import type { Renamings } from '../configuration/renamed-settings.ts';
import { RENAMED } from '../configuration/renamed-settings.ts';
import type { SettingKey } from '../configuration/settings.ts';
import { environmentName, flagName, settingKeys, settings } from '../configuration/settings.ts';

/** As it is typed, or was. */
const flagOf = (key: SettingKey, name: string = key): string =>
  settings[key].isSwitch ? flagName(name) : `${flagName(name)} <value>`;

/** Offers every setting that is no secret as a flag. */
export function withSettings(command: Command, renamings: Renamings = RENAMED): Command {
  command.option('--config <file>', 'read settings from this file (default: hostler.yaml, if it is there)');
  for (const key of settingKeys) {
    const { help, default: standard, isSecret, isSwitch } = settings[key];
    if (isSecret) continue;
    const notes = [environmentName(key), ...(standard && !isSwitch ? [`default ${standard}`] : [])].join(
      ', ',
    );
    command.option(flagOf(key), `${help} (${notes})`);
  }
  for (const [old, { now }] of Object.entries(renamings))
    if (!settings[now].isSecret) command.addOption(new Option(flagOf(now, old)).hideHelp());
  const secrets = settingKeys.filter(key => settings[key].isSecret).map(environmentName);
  return command.addHelpText(
    'after',
    `\nSecrets are no flags: set ${secrets.join(', ')}, or write them into the file.\n`,
  );
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Where the settings come from, by the options that are left when a command has taken its own. */
export function sourcesOf(options: Record<string, unknown>): ConfigSources {
  const { config, ...flags } = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [snakeCase(name), value]),
  );
  return { environment: process.env, flags, file: typeof config === 'string' ? config : undefined };
}
