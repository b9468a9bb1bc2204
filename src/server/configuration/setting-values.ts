// Parsers of setting values. Each throws `BadValue` for a value that it does not accept. Messages never contain the value, which can be a
// secret in the wrong place.

import ipaddr from 'ipaddr.js';
import { validateServiceUrl } from '../../domain/addresses/url-validation.ts';
import { Secret } from '../../domain/secret.ts';
import { MAX_PASSWORD_LENGTH } from '../../domain/vocabulary.ts';
import { isRecord } from '../../lib/is-record.ts';

/** What a value is not; the loader adds which value, and where it came from. */
export class BadValue extends Error {
  /** All that is wrong; `at` is the place in the value, such as `[1].url`. */
  readonly problems: readonly { readonly at: string; readonly message: string }[];

  constructor(message: string, problems: BadValue['problems'] = [{ at: '', message }]) {
    super(message);
    this.problems = problems;
  }
}

export function text(raw: unknown): string {
  if (typeof raw !== 'string' || raw === '') throw new BadValue('must be a text that is not empty');
  return raw;
}

export function serviceUrl(raw: unknown): string {
  const url = text(raw);
  const problem = validateServiceUrl(url);
  if (problem) throw new BadValue(problem);
  return url;
}

export const integer = (min: number, max: number) => (raw: unknown) => {
  const value = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new BadValue(`must be a whole number from ${min} to ${max}`);
  }
  return value;
};

/** Fractions too, as people write them. */
export const decimal = (min: number, max: number) => (raw: unknown) => {
  const value = typeof raw === 'string' && /^\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw;
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw new BadValue(`must be a number from ${min} to ${max}`);
  return value;
};

export const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (raw: unknown): Word => {
    const found = words.find(word => word === raw);
    if (found === undefined) throw new BadValue(`must be one of ${words.join(', ')}`);
    return found;
  };

export function onOrOff(raw: unknown): boolean {
  if (raw === true || raw === 'true' || raw === '1') return true;
  if (raw === false || raw === 'false' || raw === '0') return false;
  throw new BadValue('must be true or false');
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export function listenAddress(raw: unknown): ListenAddress {
  const [, v6, other, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text(raw)) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new BadValue('must be HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000');
  return { host: v6 ?? (other || '127.0.0.1'), port: Number(port) };
}

export function networks(raw: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(raw) ? raw : text(raw).split(',');
  return list.map(entry => {
    const network = typeof entry === 'string' ? entry.trim() : '';
    if (!ipaddr.isValid(network) && !ipaddr.isValidCIDR(network)) {
      throw new BadValue('must be a list of addresses or networks, such as 10.0.0.0/8, ::1');
    }
    return network;
  });
}

export const urls =
  (...schemes: readonly string[]) =>
  (raw: unknown): readonly string[] => {
    const list: unknown[] = Array.isArray(raw) ? raw : text(raw).split(',');
    return list.map(entry => {
      const url = typeof entry === 'string' ? entry.trim() : '';
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      if (parsed && schemes.includes(parsed.protocol.slice(0, -1)) && parsed.username === '') return url;
      throw new BadValue(
        `must be a list of URLs (${schemes.join(', ')}), such as ${schemes[0]}://127.0.0.1:2379`,
      );
    });
  };

export type StoreLocation = { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };

export function storeLocation(raw: unknown): StoreLocation {
  const location = text(raw);
  if (location === 'sqlite') return { kind: 'sqlite' };
  if (/^postgres(ql)?:\/\//.test(location) && URL.canParse(location))
    return { kind: 'postgres', url: location };
  throw new BadValue('must be sqlite or a URL that begins with postgres://');
}

export function directStore(raw: unknown): string {
  const location = storeLocation(raw);
  if (location.kind === 'postgres') return location.url;
  throw new BadValue('must be a URL that begins with postgres://');
}

export const MAKE_A_KEY = 'openssl rand -base64 32';

/** 32 bytes in base64. */
export const isSecretKey = (key: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(key);

export function password(raw: unknown): Secret {
  const value = text(raw);
  if (value.length > MAX_PASSWORD_LENGTH)
    throw new BadValue(`must have at most ${MAX_PASSWORD_LENGTH} characters`);
  return new Secret(value);
}

/** Several keys in one text. */
export const splitKeys = (keys: string): string[] => keys.split(/[\s,]+/).filter(key => key !== '');

/** As somebody may give it who has the key in a file. A key may begin with a slash too: so only what is none is asked about. */
const isLikePath = (value: string): boolean => /^(~|\.{0,2})\/|\.\w+$/.test(value);

export function secretKeys(raw: unknown): readonly Secret[] {
  const keys = splitKeys(text(raw));
  const wrong = keys.filter(key => !isSecretKey(key));
  // The value is not repeated: it may be a key with a slip of the pen.
  if (keys.length === 0 || wrong.length > 0)
    throw new BadValue(
      wrong.some(isLikePath)
        ? 'must be the key itself, 32 bytes in base64; set secret_key_file to use a key file'
        : `must be 32 bytes in base64; create a key with: ${MAKE_A_KEY}`,
    );
  return keys.map(key => new Secret(key));
}

/** A host source as it stands in the configuration; `source-settings.ts` has what must be in it. */
export type SourceEntry = Readonly<Record<string, unknown>>;

const NO_SOURCES = 'must be a list of sources, each with name, type and the options of the type';

/** In the environment it is text. */
function listOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    throw new BadValue(`${NO_SOURCES}, as JSON`);
  }
}

export function sourceEntries(raw: unknown): readonly SourceEntry[] {
  const list: unknown = listOf(raw);
  if (!Array.isArray(list) || !list.every(isRecord)) throw new BadValue(NO_SOURCES);
  return list;
}
