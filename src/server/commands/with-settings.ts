import type { Command } from 'commander';
import { Option } from 'commander';
import type { ConfigSources } from '../configuration/config.ts';
import type { SettingKey } from '../configuration/settings.ts';
import { environmentName, flagName, settingKeys, settings } from '../configuration/settings.ts';

const flagOf = (key: SettingKey): string =>
  settings[key].isSwitch ? flagName(key) : `${flagName(key)} <value>`;

/** The settings that the help of a command shows which does not run the server. */
const SHOWN: readonly SettingKey[] = ['data', 'store', 'secret_key_file'];

/** Adds a flag for every setting that is not a secret. `isServer`: the command runs the server, and its help shows all of them. */
export function withSettings(command: Command, { isServer = false } = {}): Command {
  command.option('--config <file>', 'Configuration file (default: hostler.yaml, if it exists)');
  for (const key of settingKeys) {
    const { help, default: standard, isSecret, isSwitch } = settings[key];
    if (isSecret) continue;
    const notes = [environmentName(key), ...(standard && !isSwitch ? [`default: ${standard}`] : [])].join(
      ', ',
    );
    const option = new Option(flagOf(key), `${help} (${notes})`);
    command.addOption(isServer || SHOWN.includes(key) ? option : option.hideHelp());
  }
  const secrets = settingKeys.filter(key => settings[key].isSecret).map(environmentName);
  return command.addHelpText(
    'after',
    isServer
      ? `\nThese settings have no flag, because they can contain secrets: set ${secrets.join(', ')} in the environment, or use the configuration file.\n`
      : '\nAlso accepts all settings of the server: see hostler serve --help.\n',
  );
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** The sources of the settings; `options` are those that the command does not use itself. */
export function sourcesOf(options: Record<string, unknown>): ConfigSources {
  const { config, ...flags } = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [snakeCase(name), value]),
  );
  return { environment: process.env, flags, file: typeof config === 'string' ? config : undefined };
}
