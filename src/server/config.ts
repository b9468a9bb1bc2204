// Reads the configuration: hostler.yaml, overridden by the environment, overridden by flags. Everything that is wrong with it is
// told at once, with the place where it stands.

import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { PlainError } from '../lib/plain-error.ts';
import type { Config, SettingKey } from './settings.ts';
import { BadValue, environmentName, flagName, settingKeys, settings } from './settings.ts';

const DEFAULT_FILE = 'hostler.yaml';

export class ConfigError extends PlainError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting key. */
  readonly flags: Readonly<Partial<Record<SettingKey, unknown>>>;
  /** The file to read; when it is not named, hostler.yaml is read if it is there. */
  readonly file?: string | undefined;
}

type Found = { readonly raw: unknown; readonly from: string };

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isKey = (key: string): key is SettingKey => Object.hasOwn(settings, key);

function readFile(file: string | undefined, problems: string[]): Record<string, unknown> {
  const name = file ?? DEFAULT_FILE;
  let source: string;
  try {
    source = readFileSync(name, 'utf8');
  } catch (error) {
    if (file !== undefined || !isMissing(error))
      problems.push(`${name}: cannot be read: ${(error as Error).message}`);
    return {};
  }
  const document = parseDocument(source);
  if (document.errors.length > 0) {
    problems.push(...document.errors.map(error => `${name}: ${error.message.split('\n')[0]}`));
    return {};
  }
  const content: unknown = document.toJS() ?? {};
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`${name}: must hold settings as key: value`);
    return {};
  }
  for (const key of Object.keys(content)) if (!isKey(key)) problems.push(`${name}: ${key}: is not a setting`);
  return { ...content };
}

function find(key: SettingKey, sources: ConfigSources, file: Record<string, unknown>): Found | undefined {
  const flag = sources.flags[key];
  if (flag !== undefined) return { raw: flag, from: flagName(key) };
  const variable = sources.environment[environmentName(key)];
  if (variable !== undefined) return { raw: variable, from: environmentName(key) };
  if (file[key] !== undefined) return { raw: file[key], from: `${sources.file ?? DEFAULT_FILE}: ${key}` };
  const standard = settings[key].default;
  return standard === undefined ? undefined : { raw: standard, from: `the default of ${key}` };
}

/** What no setting can know alone. */
function combinationProblems(config: Config, flags: ConfigSources['flags']): string[] {
  const problems: string[] = [];
  const { listen, store } = config;
  const isLoopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(listen.host);
  if ((config.tls_cert === undefined) !== (config.tls_key === undefined)) {
    problems.push('tls_cert, tls_key: one needs the other');
  }
  if (!isLoopback && config.tls_cert === undefined && !config.allow_plain_http) {
    problems.push(
      `listen: ${listen.host} is not loopback; give tls_cert and tls_key, or --allow-plain-http if you must`,
    );
  }
  if (config.secret_key && config.secret_key_file)
    problems.push('secret_key, secret_key_file: give one of them');
  if (store.kind === 'postgres' && !config.secret_key && !config.secret_key_file) {
    problems.push(
      'secret_key: is needed with PostgreSQL, the same for all servers; make one by openssl rand -base64 32',
    );
  }
  if (flags.store !== undefined && store.kind === 'postgres' && new URL(store.url).password !== '') {
    problems.push(
      '--store: everyone on the machine can read arguments; give a URL with a password in HOSTLER_STORE',
    );
  }
  return problems;
}

export function loadConfig(sources: ConfigSources): Config {
  const problems: string[] = [];
  const file = readFile(sources.file, problems);
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of settingKeys) {
    const found = find(key, sources, file);
    if (found === undefined) continue;
    try {
      values[key] = settings[key].parse(found.raw);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${found.from}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const config = values as Config;
  const contradictions = combinationProblems(config, sources.flags);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  return config;
}

/** Variables that look like settings and are none: most likely a slip of the pen. */
export const unknownVariables = (environment: ConfigSources['environment']): string[] =>
  Object.keys(environment).filter(
    name => name.startsWith('HOSTLER_') && !isKey(name.slice('HOSTLER_'.length).toLowerCase()),
  );
