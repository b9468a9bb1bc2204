// Parsers of setting values. Each throws InvalidSettingError for an invalid value. Messages never contain the
// value, because it can be a misplaced secret.

import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { validateServiceUrl } from '../../domain/addresses/url-validation.ts';
import { Secret } from '../../domain/secret.ts';
import { MAX_PASSWORD_LENGTH } from '../../domain/vocabulary.ts';
import { isRecord } from '../../lib/json.ts';

export interface Setting<T> {
  readonly help: string;
  /** In the format of hostler.yaml. */
  readonly default?: string;
  /** Not available as a flag, because all users of the machine can read the arguments of a process. */
  readonly isSecret?: true;
  readonly isBoolean?: true;
  readonly parse: (raw: unknown) => T;
}

export const defineSetting = <T, const S extends Setting<T>>(definition: S & Setting<T>): S & Setting<T> => definition;

export class InvalidSettingError extends Error {
  /** `settingPath` is the path inside the value, such as `[1].url`. */
  readonly errors: readonly { readonly settingPath: string; readonly message: string }[];

  constructor(message: string, errors: InvalidSettingError['errors'] = [{ settingPath: '', message }]) {
    super(message);
    this.errors = errors;
  }
}

export function parseText(raw: unknown): string {
  if (typeof raw !== 'string' || raw === '') throw new InvalidSettingError('must be a text that is not empty');
  return raw;
}

export function parseServiceUrl(raw: unknown): string {
  const url = parseText(raw);
  const urlError = validateServiceUrl(url);
  if (urlError) throw new InvalidSettingError(urlError);
  return url;
}

export const enumParser =
  <const Value extends string>(...values: readonly Value[]) =>
  (raw: unknown): Value => {
    const match = values.find(value => value === raw);
    if (match === undefined) throw new InvalidSettingError(`must be one of ${values.join(', ')}`);
    return match;
  };

function parseBoolean(raw: unknown): boolean {
  if (raw === true || raw === 'true' || raw === '1') return true;
  if (raw === false || raw === 'false' || raw === '0') return false;
  throw new InvalidSettingError('must be true or false');
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export function parseListenAddress(raw: unknown): ListenAddress {
  const [, v6, other, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(parseText(raw)) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new InvalidSettingError('must be HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000');
  return { host: v6 ?? (other || '127.0.0.1'), port: Number(port) };
}

const listParser =
  (isValid: (entry: string) => boolean, message: string) =>
  (raw: unknown): readonly string[] => {
    const list: unknown[] = Array.isArray(raw) ? raw : parseText(raw).split(',');
    const entries = list.map(entry => (typeof entry === 'string' ? entry.trim() : ''));
    if (!entries.every(isValid)) throw new InvalidSettingError(message);
    return entries;
  };

export const parseNetworks = listParser(
  network => ipaddr.isValid(network) || ipaddr.isValidCIDR(network),
  'must be a list of addresses or networks, such as 10.0.0.0/8, ::1',
);

export const parseHttpUrls = listParser(
  url => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).username === '',
  'must be a list of URLs (http, https), such as http://127.0.0.1:2379',
);

interface NumberRange {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

const numberSetting =
  (description: string, pattern: RegExp, isValid: (value: number) => boolean) =>
  ({ default: defaultValue, min, max }: NumberRange, help: string) =>
    defineSetting({
      help,
      default: String(defaultValue),
      parse: raw => {
        const value = typeof raw === 'string' && pattern.test(raw) ? Number(raw) : raw;
        if (typeof value === 'number' && isValid(value) && value >= min && value <= max) return value;
        throw new InvalidSettingError(`must be a ${description} from ${min} to ${max}`);
      },
    });

export const integerSetting = numberSetting('whole number', /^\d+$/, Number.isInteger);
export const decimalSetting = numberSetting('number', /^\d+(\.\d+)?$/, Number.isFinite);

/** Off by default. */
export const booleanSetting = (help: string) =>
  defineSetting({ help, default: 'false', isBoolean: true, parse: parseBoolean });

export const fileSetting = (help: string) => defineSetting({ help, parse: raw => path.resolve(parseText(raw)) });

export type StoreLocation = { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };

export function parseStoreUrl(raw: unknown): StoreLocation {
  const location = parseText(raw);
  if (location === 'sqlite') return { kind: 'sqlite' };
  if (/^postgres(ql)?:\/\//.test(location) && URL.canParse(location)) return { kind: 'postgres', url: location };
  throw new InvalidSettingError('must be sqlite or a URL that begins with postgres://');
}

export function parseDirectStoreUrl(raw: unknown): string {
  const location = parseStoreUrl(raw);
  if (location.kind === 'postgres') return location.url;
  throw new InvalidSettingError('must be a URL that begins with postgres://');
}

export const GENERATE_KEY_COMMAND = 'openssl rand -base64 32';

export const isSecretKey = (key: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(key);

export function parsePassword(raw: unknown): Secret {
  const value = parseText(raw);
  if (value.length > MAX_PASSWORD_LENGTH)
    throw new InvalidSettingError(`must have at most ${MAX_PASSWORD_LENGTH} characters`);
  return new Secret(value);
}

export const splitKeys = (keys: string): string[] => keys.split(/[\s,]+/).filter(key => key !== '');

/** Applies only to values that are not keys: a base64 key can start with a slash too. */
const looksLikePath = (value: string): boolean => /^(~|\.{0,2})\/|\.\w+$/.test(value);

export function parseSecretKeys(raw: unknown): readonly Secret[] {
  const keys = splitKeys(parseText(raw));
  const invalid = keys.filter(key => !isSecretKey(key));
  // The message does not repeat the value, which can be a mistyped key.
  if (keys.length === 0 || invalid.length > 0)
    throw new InvalidSettingError(
      invalid.some(looksLikePath)
        ? 'must be the key itself, 32 bytes in base64; set secret_key_file to use a key file'
        : `must be 32 bytes in base64; create a key with: ${GENERATE_KEY_COMMAND}`,
    );
  return keys.map(key => new Secret(key));
}

/** An entry of the setting `sources`, validated by source-settings.ts. */
export type SourceEntry = Readonly<Record<string, unknown>>;

const SOURCES_RULE = 'must be a list of sources, each with name, type and the options of the type';

function parseJsonList(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    throw new InvalidSettingError(`${SOURCES_RULE}, as JSON`);
  }
}

export function parseSources(raw: unknown): readonly SourceEntry[] {
  const list: unknown = parseJsonList(raw);
  if (!Array.isArray(list) || !list.every(isRecord)) throw new InvalidSettingError(SOURCES_RULE);
  return list;
}
