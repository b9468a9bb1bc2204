// Every setting, once: its key in hostler.yaml; from it follow the environment variable (`HOSTLER_` and capitals) and the flag
// (`--` and dashes). The help text, `docs/configuration.md` and the parser are made from this table.

import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { Secret } from '../domain/secret.ts';
import { MAX_PASSWORD_LENGTH } from '../domain/vocabulary.ts';
import { LOG_LEVELS } from '../lib/log.ts';

/** What a value is not; the loader adds which value, and where it came from. */
export class BadValue extends Error {}

export interface Setting<T> {
  readonly help: string;
  /** As it would be written; missing when the setting is off by default. */
  readonly default?: string;
  /** Not offered as a flag: everyone on the machine can read a process's arguments. */
  readonly isSecret?: true;
  readonly isSwitch?: true;
  readonly parse: (raw: unknown) => T;
}

const setting = <T, const S extends Setting<T>>(definition: S & Setting<T>): S & Setting<T> => definition;

function text(raw: unknown): string {
  if (typeof raw !== 'string' || raw === '') throw new BadValue('must be text that is not empty');
  return raw;
}

const integer = (min: number, max: number) => (raw: unknown) => {
  const value = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new BadValue(`must be a whole number from ${min} to ${max}`);
  }
  return value;
};

const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (raw: unknown): Word => {
    const found = words.find(word => word === raw);
    if (found === undefined) throw new BadValue(`must be one of ${words.join(', ')}`);
    return found;
  };

function onOrOff(raw: unknown): boolean {
  if (raw === true || raw === 'true' || raw === '1') return true;
  if (raw === false || raw === 'false' || raw === '0') return false;
  throw new BadValue('must be true or false');
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

function listenAddress(raw: unknown): ListenAddress {
  const [, v6, other, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text(raw)) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new BadValue('must be HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000');
  return { host: v6 ?? (other || '127.0.0.1'), port: Number(port) };
}

function networks(raw: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(raw) ? raw : text(raw).split(',');
  return list.map(entry => {
    const network = typeof entry === 'string' ? entry.trim() : '';
    if (!ipaddr.isValid(network) && !ipaddr.isValidCIDR(network)) {
      throw new BadValue('must be a list of addresses or networks, such as 10.0.0.0/8, ::1');
    }
    return network;
  });
}

export type StoreLocation = { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };

function storeLocation(raw: unknown): StoreLocation {
  const location = text(raw);
  if (location === 'sqlite') return { kind: 'sqlite' };
  if (/^postgres(ql)?:\/\//.test(location) && URL.canParse(location))
    return { kind: 'postgres', url: location };
  throw new BadValue('must be sqlite, or a URL that begins with postgres://');
}

/** 32 bytes in base64. */
export const isSecretKey = (key: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(key);

function password(raw: unknown): Secret {
  const value = text(raw);
  if (value.length > MAX_PASSWORD_LENGTH)
    throw new BadValue(`must have at most ${MAX_PASSWORD_LENGTH} characters`);
  return new Secret(value);
}

/** Several keys in one text. */
export const splitKeys = (keys: string): string[] => keys.split(/[\s,]+/).filter(key => key !== '');

function secretKeys(raw: unknown): readonly Secret[] {
  const keys = splitKeys(text(raw));
  if (keys.length === 0 || !keys.every(isSecretKey))
    throw new BadValue('must be 32 bytes in base64: openssl rand -base64 32');
  return keys.map(key => new Secret(key));
}

export const settings = {
  listen: setting({
    help: 'Where to listen, as HOST:PORT; port 0 picks a free one. Other than loopback needs TLS or allow_plain_http',
    default: '127.0.0.1:8000',
    parse: listenAddress,
  }),
  data: setting({
    help: 'The folder of the embedded store and its secret key',
    default: './data',
    parse: raw => path.resolve(text(raw)),
  }),
  store: setting({
    help: 'sqlite, in the data folder, or the URL of a PostgreSQL that several servers share',
    default: 'sqlite',
    parse: storeLocation,
  }),
  secret_key: setting({
    help: 'The key that protects stored secrets, 32 bytes in base64; PostgreSQL needs it, or secret_key_file. While keys are rotated: the new one, then the old one',
    isSecret: true,
    parse: secretKeys,
  }),
  secret_key_file: setting({
    help: 'A file that holds the secret key, while keys are rotated the new one above the old one; on the embedded store default: made in the data folder',
    parse: raw => path.resolve(text(raw)),
  }),
  admin_password: setting({
    help: 'The password of the first account, admin, instead of a generated one; counts at the first start only',
    isSecret: true,
    parse: password,
  }),
  tls_cert: setting({
    help: 'The file with the certificate and its chain, in PEM',
    parse: raw => path.resolve(text(raw)),
  }),
  tls_key: setting({
    help: "The file with the certificate's key, in PEM",
    parse: raw => path.resolve(text(raw)),
  }),
  allow_plain_http: setting({
    help: 'Allows to listen without TLS on other addresses than loopback; passwords travel in clear',
    default: 'false',
    isSwitch: true,
    parse: onOrOff,
  }),
  trust_proxy: setting({
    help: "Addresses and networks of proxies whose X-Forwarded-For tells the caller's address",
    parse: networks,
  }),
  compat: setting({
    help: "commissaire: answer that service's old clients as they expect (403 for bad credentials, 201 for a repeated PUT, network optional)",
    default: 'none',
    parse: oneOf('none', 'commissaire'),
  }),
  log_level: setting({
    help: `How much is logged: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: oneOf(...LOG_LEVELS),
  }),
  limit_body_bytes: setting({
    help: 'The largest body of a request',
    default: String(1024 * 1024),
    parse: integer(1024, 1024 ** 3),
  }),
  limit_members: setting({
    help: 'The most addresses in one replacement of cluster members',
    default: '10000',
    parse: integer(1, 1_000_000),
  }),
  limit_failed_logins: setting({
    help: 'How many logins may fail in a minute, by address and by account',
    default: '100',
    parse: integer(1, 1_000_000),
  }),
  limit_receive_s: setting({
    help: "How many seconds a TLS handshake, and then a request's headers and body, may take to arrive",
    default: '10',
    parse: integer(1, 3600),
  }),
  limit_idle_s: setting({
    help: 'After how many seconds a client is cut off that neither sends the rest of its request nor reads its answer',
    default: '60',
    parse: integer(1, 3600),
  }),
};

export type SettingKey = keyof typeof settings;
export const settingKeys = Object.keys(settings) as SettingKey[];

export const environmentName = (key: SettingKey): string => `HOSTLER_${key.toUpperCase()}`;
export const flagName = (key: SettingKey): string => `--${key.replaceAll('_', '-')}`;

type Parsed<S> = S extends Setting<infer T> ? T : never;

/** The configuration: every setting's value, or `undefined` for one that is off. */
export type Config = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends { readonly default: string }
    ? Parsed<(typeof settings)[Key]>
    : Parsed<(typeof settings)[Key]> | undefined;
};
