import type { Command } from 'commander';
import type { ConfigSources } from '../configuration/config.ts';
import type { SettingKey } from '../configuration/settings.ts';
import { environmentName, flagName, settingKeys, settings } from '../configuration/settings.ts';

const flagOf = (key: SettingKey): string =>
  settings[key].isSwitch ? flagName(key) : `${flagName(key)} <value>`;

/** Adds a flag for every setting that is not a secret. */
export function withSettings(command: Command): Command {
  command.option('--config <file>', 'Configuration file (default: hostler.yaml, if it exists)');
  for (const key of settingKeys) {
    const { help, default: standard, isSecret, isSwitch } = settings[key];
    if (isSecret) continue;
    const notes = [environmentName(key), ...(standard && !isSwitch ? [`default: ${standard}`] : [])].join(
      ', ',
    );
    command.option(flagOf(key), `${help} (${notes})`);
  }
  const secrets = settingKeys.filter(key => settings[key].isSecret).map(environmentName);
  return command.addHelpText(
    'after',
    `\nSecrets have no flags. Set ${secrets.join(', ')} in the environment, or use the configuration file.\n`,
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
