import type { Command } from 'commander';
import { Option } from 'commander';
import { EXIT_CODES } from '../cli/program.ts';
import { StoreCorruptError, StoreUnavailableError } from '../domain/errors.ts';
import { OperatorError, PermanentError } from '../lib/errors.ts';
import type { ConfigSources } from './configuration/config.ts';
import type { SettingKey } from './configuration/settings.ts';
import { environmentName, flagName, settingKeys, settings } from './configuration/settings.ts';
import { forceExit } from './process.ts';
import { describeStoreError } from './wiring/store-outage-log.ts';

const VISIBLE_SETTINGS: readonly SettingKey[] = ['data', 'store', 'secret_key_file'];

/** Adds a flag for every setting that is not a secret. `isServer`: the help shows all settings. */
export function addSettingOptions(command: Command, { isServer = false } = {}): Command {
  command.option('--config <file>', 'Configuration file (default: hostler.yaml, if it exists)');
  for (const key of settingKeys) {
    const { help, default: defaultValue, isSecret, isBoolean } = settings[key];
    if (isSecret) continue;
    const notes = [environmentName(key), ...(defaultValue && !isBoolean ? [`default: ${defaultValue}`] : [])].join(
      ', ',
    );
    const option = new Option(isBoolean ? flagName(key) : `${flagName(key)} <value>`, `${help} (${notes})`);
    command.addOption(isServer || VISIBLE_SETTINGS.includes(key) ? option : option.hideHelp());
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

/** Options that are no settings are ignored. */
export function toConfigSources(options: Record<string, unknown>): ConfigSources {
  const { config, ...flags } = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [snakeCase(name), value]),
  );
  return { environment: process.env, flags, file: typeof config === 'string' ? config : undefined };
}

function formatCommandError(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreCorruptError)
    return `the store is corrupt: ${describeStoreError(error)}; restore a backup (see docs/admin/backup-and-restore.md)`;
  if (error instanceof StoreUnavailableError)
    return `cannot connect to the store: ${describeStoreError(error)}; check the setting store`;
  return error.stack ?? error.message;
}

/** If the command fails, prints the reason and exits with the matching status. */
export async function runServerCommand(run: () => Promise<void>): Promise<void> {
  // Files that a command creates can contain secrets.
  process.umask(0o077);
  try {
    await run();
  } catch (error) {
    process.stderr.write(`hostler: ${formatCommandError(error)}\n`);
    // A component that does not close must not keep the process running.
    forceExit(
      error instanceof PermanentError || error instanceof StoreCorruptError
        ? EXIT_CODES.misconfigured
        : EXIT_CODES.failed,
    );
  }
}
