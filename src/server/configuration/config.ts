// Reads the configuration: hostler.yaml, overridden by the environment, overridden by flags. Everything that is wrong with it is
// told at once, with the place where it stands.

import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { hostSourceDrivers } from '../../drivers/host-source/index.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { CLIENT_VARIABLES } from '../../program/client-variables.ts';
import { ConfigError } from './config-error.ts';
import type { StoreLocation } from './setting-values.ts';
import { BadValue } from './setting-values.ts';
import type { Config, SettingKey } from './settings.ts';
import { environmentName, flagName, settingKeys, settings } from './settings.ts';
import { sourceProblems } from './source-settings.ts';

const DEFAULT_FILE = 'hostler.yaml';

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting key. */
  readonly flags: Readonly<Partial<Record<SettingKey, unknown>>>;
  /** The file to read; when it is not named, hostler.yaml is read if it is there. */
  readonly file?: string | undefined;
}

/** Where a setting was found: as a flag, as a variable, or under its key. */
type Form = 'flag' | 'variable' | 'key';

interface Found {
  readonly raw: unknown;
  readonly from: string;
  readonly form: Form;
  readonly isDefault?: true;
}

const isMissing = (error: unknown) => errorCode(error) === 'ENOENT';
const isKey = (key: string): key is SettingKey => Object.hasOwn(settings, key);

/** The parser's own messages quote what they stumble over, and that may be a password. */
function parseYaml(source: string, name: string, problems: string[]): unknown {
  const document = parseDocument(source);
  for (const { code, linePos } of document.errors) {
    const [{ line, col } = { line: 0, col: 0 }] = linePos ?? [];
    const what = code.toLowerCase().replaceAll('_', ' ');
    problems.push(
      `${name}: line ${line}, column ${col}: invalid YAML (${what}); quote values that contain special characters`,
    );
  }
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS();
  } catch {
    problems.push(`${name}: invalid YAML (unresolved alias); quote values that begin with *`);
    return undefined;
  }
}

/** What the file says; `undefined` when nobody knows. */
function readFile(file: string | undefined, problems: string[]): Record<string, unknown> | undefined {
  const name = file ?? DEFAULT_FILE;
  let source: string;
  try {
    source = readFileSync(name, 'utf8');
  } catch (error) {
    if (file === undefined && isMissing(error)) return {};
    problems.push(`cannot read the configuration file ${name}: ${messageOf(error)}`);
    return undefined;
  }
  const before = problems.length;
  const content = parseYaml(source, name, problems) ?? {};
  if (problems.length > before) return undefined;
  if (typeof content !== 'object' || Array.isArray(content)) {
    problems.push(`${name}: must contain settings as key: value`);
    return undefined;
  }
  return { ...content };
}

function find(
  key: SettingKey,
  sources: ConfigSources,
  file: Readonly<Record<string, unknown>>,
): Found | undefined {
  const flag = sources.flags[key];
  if (flag !== undefined) return { raw: flag, from: flagName(key), form: 'flag' };
  const name = environmentName(key);
  const variable = sources.environment[name];
  if (variable !== undefined) return { raw: variable, from: name, form: 'variable' };
  if (file[key] !== undefined)
    return { raw: file[key], from: `${sources.file ?? DEFAULT_FILE}: ${key}`, form: 'key' };
  const standard = settings[key].default;
  return standard === undefined
    ? undefined
    : { raw: standard, from: `the default of ${key}`, form: 'key', isDefault: true };
}

interface Combination {
  /** The settings that it is about; if one of them is wrong by itself, that is said instead. */
  readonly of: readonly SettingKey[];
  readonly isWrong: (config: Config, flags: ConfigSources['flags']) => boolean;
  readonly problem: (name: (key: SettingKey) => string) => string;
}

/** The name of a setting in the form in which the user gave the other settings of a combination; of a switch, how to turn it on. */
function nameIn(form: Form, key: SettingKey): string {
  const isSwitch = 'isSwitch' in settings[key];
  if (form === 'key') return isSwitch ? `${key}: true` : key;
  // Secrets have no flag.
  if (form === 'flag' && !('isSecret' in settings[key])) return flagName(key);
  return isSwitch ? `${environmentName(key)}=true` : environmentName(key);
}

const isLoopback = (host: string) => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);

function hasPassword(store: StoreLocation): boolean {
  if (store.kind !== 'postgres') return false;
  const { password, searchParams } = new URL(store.url);
  return password !== '' || searchParams.has('password');
}

/** What no setting can know alone. */
const COMBINATIONS: readonly Combination[] = [
  {
    of: ['tls_cert', 'tls_key'],
    isWrong: config => (config.tls_cert === undefined) !== (config.tls_key === undefined),
    problem: name => `${name('tls_cert')}, ${name('tls_key')}: set both or neither`,
  },
  {
    of: ['listen', 'tls_cert', 'allow_plain_http'],
    isWrong: config =>
      !isLoopback(config.listen.host) && config.tls_cert === undefined && !config.allow_plain_http,
    problem: name =>
      `${name('listen')}: an address other than loopback requires TLS; set ${name('tls_cert')} and ${name('tls_key')}, or allow unencrypted connections with ${name('allow_plain_http')}`,
  },
  {
    of: ['secret_key', 'secret_key_file'],
    isWrong: config => config.secret_key !== undefined && config.secret_key_file !== undefined,
    problem: name => `${name('secret_key')}, ${name('secret_key_file')}: set only one of them`,
  },
  {
    of: ['store', 'secret_key', 'secret_key_file'],
    isWrong: config => config.store.kind === 'postgres' && !config.secret_key && !config.secret_key_file,
    problem: name =>
      `${name('secret_key')}: required with PostgreSQL, and the same on all servers; create a key with: openssl rand -base64 32`,
  },
  {
    of: ['store'],
    isWrong: (config, flags) => flags.store !== undefined && hasPassword(config.store),
    problem: () =>
      '--store: other users of this machine can read command-line arguments; put a URL with a password into HOSTLER_STORE',
  },
];

/** The value of a setting; throws `BadValue` when it is none. */
function parse(key: SettingKey, raw: unknown): unknown {
  const value = settings[key].parse(raw);
  if (key !== 'sources') return value;
  // By schemas that would take the command line long to load.
  const problems = sourceProblems(settings.sources.parse(raw), hostSourceDrivers);
  if (problems.length > 0) throw new BadValue('is invalid', problems);
  return value;
}

export interface ReadConfig {
  /** Without a value for what is wrong. */
  readonly config: Config;
  /** Settings whose values are none, or that a file which cannot be read may have. */
  readonly wrong: ReadonlySet<SettingKey>;
  readonly problems: readonly string[];
}

/** A variable that is empty, as compositions make them of what nobody has given, counts as none: no setting has a value that is empty. */
const withoutEmpty = (environment: ConfigSources['environment']): ConfigSources['environment'] =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

/** As far as it is right. */
export function readConfig(given: ConfigSources): ReadConfig {
  const problems: string[] = [];
  const wrong = new Set<SettingKey>();
  const name = given.file ?? DEFAULT_FILE;
  const file = readFile(given.file, problems);
  for (const each of Object.keys(file ?? {}))
    if (!isKey(each)) problems.push(`${name}: ${each}: unknown setting`);
  const sources = { ...given, environment: withoutEmpty(given.environment) };
  const values: Partial<Record<SettingKey, unknown>> = {};
  const forms = new Map<SettingKey, Form>();
  for (const key of settingKeys) {
    const found = find(key, sources, file ?? {});
    if (file === undefined && (found === undefined || found.isDefault)) wrong.add(key);
    if (found === undefined) continue;
    if (!found.isDefault) forms.set(key, found.form);
    try {
      values[key] = parse(key, found.raw);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(...error.problems.map(({ at, message }) => `${found.from}${at}: ${message}`));
      wrong.add(key);
    }
  }
  const config = values as Config;
  for (const { of, isWrong, problem } of COMBINATIONS) {
    if (of.some(key => wrong.has(key)) || !isWrong(config, sources.flags)) continue;
    const form = of.map(key => forms.get(key)).find(each => each !== undefined) ?? 'key';
    const place = form === 'key' ? `${name}: ` : '';
    problems.push(`${place}${problem(key => nameIn(forms.get(key) ?? form, key))}`);
  }
  return { config, wrong, problems };
}

/** The same, if nothing is wrong. */
export function loadConfig(sources: ConfigSources): Config {
  const { config, problems } = readConfig(sources);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The client may be used on the same machine. */
const isOfClient = (name: string) => CLIENT_VARIABLES.some(each => each === name);

/** Variables that look like settings and are none: most likely a slip of the pen. */
export const unknownVariables = (environment: ConfigSources['environment']): string[] =>
  Object.keys(environment).filter(
    name =>
      name.startsWith('HOSTLER_') && !isKey(name.slice('HOSTLER_'.length).toLowerCase()) && !isOfClient(name),
  );
