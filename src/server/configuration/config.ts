// Reads the configuration: hostler.yaml, overridden by environment variables, overridden by flags. Reports
// all errors at once, each with its location.

import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { CLIENT_VARIABLES } from '../../cli/program.ts';
import { hostSourceDrivers } from '../../drivers/host-source/index.ts';
import { errorCode, errorMessage, PermanentError } from '../../lib/errors.ts';
import type { StoreLocation } from './setting.ts';
import { InvalidSettingError } from './setting.ts';
import type { Config, SettingKey } from './settings.ts';
import { environmentName, flagName, settingKeys, settings } from './settings.ts';
import { validateSources } from './source-settings.ts';

export class ConfigError extends PermanentError {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`invalid configuration:\n${errors.map(errorLine => `  ${errorLine}`).join('\n')}`);
    this.errors = errors;
  }
}

const DEFAULT_FILE = 'hostler.yaml';

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Partial<Record<SettingKey, unknown>>>;
  /** If undefined, hostler.yaml is read if it exists. */
  readonly file?: string | undefined;
}

type SettingOrigin = 'flag' | 'variable' | 'key';

interface RawSetting {
  readonly raw: unknown;
  readonly location: string;
  readonly origin: SettingOrigin;
  readonly isDefault?: true;
}

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settings, key);

/** Does not use the messages of the parser: they quote the source, which can contain a password. */
function parseYaml(source: string, name: string, errors: string[]): unknown {
  const document = parseDocument(source);
  for (const { code, linePos } of document.errors) {
    const [{ line, col } = { line: 0, col: 0 }] = linePos ?? [];
    const description = code.toLowerCase().replaceAll('_', ' ');
    errors.push(
      `${name}: line ${line}, column ${col}: invalid YAML (${description}); quote values that contain special characters`,
    );
  }
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS();
  } catch {
    errors.push(`${name}: invalid YAML (unresolved alias); quote values that begin with *`);
    return undefined;
  }
}

/** Returns `undefined` if the file cannot be read or parsed. */
function readConfigFile(file: string | undefined, errors: string[]): Record<string, unknown> | undefined {
  const name = file ?? DEFAULT_FILE;
  let source: string;
  try {
    source = readFileSync(name, 'utf8');
  } catch (error) {
    if (file === undefined && errorCode(error) === 'ENOENT') return {};
    errors.push(`cannot read the configuration file ${name}: ${errorMessage(error)}`);
    return undefined;
  }
  const errorCount = errors.length;
  const content = parseYaml(source, name, errors) ?? {};
  if (errors.length > errorCount) return undefined;
  if (typeof content !== 'object' || Array.isArray(content)) {
    errors.push(`${name}: must contain settings as key: value`);
    return undefined;
  }
  return { ...content };
}

function findRawSetting(
  key: SettingKey,
  sources: ConfigSources,
  file: Readonly<Record<string, unknown>>,
): RawSetting | undefined {
  const flag = sources.flags[key];
  if (flag !== undefined) return { raw: flag, location: flagName(key), origin: 'flag' };
  const name = environmentName(key);
  const variable = sources.environment[name];
  if (variable !== undefined) return { raw: variable, location: name, origin: 'variable' };
  if (file[key] !== undefined)
    return { raw: file[key], location: `${sources.file ?? DEFAULT_FILE}: ${key}`, origin: 'key' };
  const defaultValue = settings[key].default;
  return defaultValue === undefined
    ? undefined
    : { raw: defaultValue, location: `the default of ${key}`, origin: 'key', isDefault: true };
}

interface CrossSettingRule {
  /** If one of these settings is invalid by itself, the rule is not checked. */
  readonly keys: readonly SettingKey[];
  readonly isViolated: (config: Config, flags: ConfigSources['flags']) => boolean;
  readonly describe: (name: (key: SettingKey) => string) => string;
}

/** In the form that the user used for the related settings; of a boolean, with the value that turns it on. */
function formatSettingName(origin: SettingOrigin, key: SettingKey): string {
  const isBoolean = 'isBoolean' in settings[key];
  if (origin === 'key') return isBoolean ? `${key}: true` : key;
  // Secrets have no flag.
  if (origin === 'flag' && !('isSecret' in settings[key])) return flagName(key);
  return isBoolean ? `${environmentName(key)}=true` : environmentName(key);
}

const isLoopback = (host: string) => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);

function hasPassword(store: StoreLocation): boolean {
  if (store.kind !== 'postgres') return false;
  const { password, searchParams } = new URL(store.url);
  return password !== '' || searchParams.has('password');
}

const CROSS_SETTING_RULES: readonly CrossSettingRule[] = [
  {
    keys: ['tls_cert', 'tls_key'],
    isViolated: config => (config.tls_cert === undefined) !== (config.tls_key === undefined),
    describe: name => `${name('tls_cert')}, ${name('tls_key')}: set both or neither`,
  },
  {
    keys: ['listen', 'tls_cert', 'allow_plain_http'],
    isViolated: config => !isLoopback(config.listen.host) && config.tls_cert === undefined && !config.allow_plain_http,
    describe: name =>
      `${name('listen')}: an address other than loopback requires TLS; set ${name('tls_cert')} and ${name('tls_key')}, or allow unencrypted connections with ${name('allow_plain_http')}`,
  },
  {
    keys: ['secret_key', 'secret_key_file'],
    isViolated: config => config.secret_key !== undefined && config.secret_key_file !== undefined,
    describe: name => `${name('secret_key')}, ${name('secret_key_file')}: set only one of them`,
  },
  {
    keys: ['store', 'secret_key', 'secret_key_file'],
    isViolated: config => config.store.kind === 'postgres' && !config.secret_key && !config.secret_key_file,
    describe: name =>
      `${name('secret_key')}: required with PostgreSQL, and the same on all servers; create a key with: openssl rand -base64 32`,
  },
  {
    keys: ['store'],
    isViolated: (config, flags) => flags.store !== undefined && hasPassword(config.store),
    describe: () =>
      '--store: other users of this machine can read command-line arguments; put a URL with a password into HOSTLER_STORE',
  },
];

function parseSetting(key: SettingKey, raw: unknown): unknown {
  const value = settings[key].parse(raw);
  if (key !== 'sources') return value;
  // Validated here, not in the parser, because the command line loads the parsers and these schemas are slow to load.
  const errors = validateSources(settings.sources.parse(raw), hostSourceDrivers);
  if (errors.length > 0) throw new InvalidSettingError('is invalid', errors);
  return value;
}

export interface ConfigResult {
  readonly config: Config;
  /** Settings with an invalid value, and settings that an unreadable file may contain. */
  readonly invalidKeys: ReadonlySet<SettingKey>;
  readonly errors: readonly string[];
}

/** Docker Compose passes unset variables as empty strings, and no setting accepts an empty value. */
const withoutEmptyVariables = (environment: ConfigSources['environment']): ConfigSources['environment'] =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

export function readConfig(rawSources: ConfigSources): ConfigResult {
  const errors: string[] = [];
  const invalidKeys = new Set<SettingKey>();
  const name = rawSources.file ?? DEFAULT_FILE;
  const file = readConfigFile(rawSources.file, errors);
  for (const each of Object.keys(file ?? {})) if (!isSettingKey(each)) errors.push(`${name}: ${each}: unknown setting`);
  const sources = { ...rawSources, environment: withoutEmptyVariables(rawSources.environment) };
  const values: Partial<Record<SettingKey, unknown>> = {};
  const origins = new Map<SettingKey, SettingOrigin>();
  for (const key of settingKeys) {
    const rawSetting = findRawSetting(key, sources, file ?? {});
    if (file === undefined && (rawSetting === undefined || rawSetting.isDefault)) invalidKeys.add(key);
    if (rawSetting === undefined) continue;
    if (!rawSetting.isDefault) origins.set(key, rawSetting.origin);
    try {
      values[key] = parseSetting(key, rawSetting.raw);
    } catch (error) {
      if (!(error instanceof InvalidSettingError)) throw error;
      errors.push(
        ...error.errors.map(({ settingPath, message }) => `${rawSetting.location}${settingPath}: ${message}`),
      );
      invalidKeys.add(key);
    }
  }
  const config = values as Config;
  for (const { keys, isViolated, describe } of CROSS_SETTING_RULES) {
    if (keys.some(key => invalidKeys.has(key)) || !isViolated(config, sources.flags)) continue;
    const origin = keys.map(key => origins.get(key)).find(each => each !== undefined) ?? 'key';
    const prefix = origin === 'key' ? `${name}: ` : '';
    errors.push(`${prefix}${describe(key => formatSettingName(origins.get(key) ?? origin, key))}`);
  }
  return { config, invalidKeys, errors };
}

/** Throws ConfigError if any setting is invalid. */
export function loadConfig(sources: ConfigSources): Config {
  const { config, errors } = readConfig(sources);
  if (errors.length > 0) throw new ConfigError(errors);
  return config;
}

/** Variables with the prefix of settings that are no settings, usually misspelled. The client can run on the same machine. */
export const unknownVariables = (environment: ConfigSources['environment']): string[] =>
  Object.keys(environment).filter(
    name =>
      name.startsWith('HOSTLER_') &&
      !isSettingKey(name.slice('HOSTLER_'.length).toLowerCase()) &&
      !CLIENT_VARIABLES.some(each => each === name),
  );
