// All settings, by their key in hostler.yaml. The parser, the help text and `docs/reference/configuration.md` use them.

import path from 'node:path';
import { KNOWN_TRANSPORTS, TRANSPORT_TYPES } from '../../drivers/transport/transport.ts';
import { LOG_LEVELS } from '../../lib/log.ts';
import { limitSettings } from './limit-settings.ts';
import type { Setting } from './setting.ts';
import {
  booleanSetting,
  decimalSetting,
  defineSetting,
  enumParser,
  fileSetting,
  integerSetting,
  parseDirectStoreUrl,
  parseHttpUrls,
  parseListenAddress,
  parseNetworks,
  parsePassword,
  parseSecretKeys,
  parseServiceUrl,
  parseSources,
  parseStoreUrl,
  parseText,
} from './setting.ts';
import { traceSettings } from './trace-settings.ts';

/** About nine seconds, for tests. */
const MIN_RETENTION_DAYS = 0.0001;

export const settings = {
  listen: defineSetting({
    help: 'Address to listen on, as HOST:PORT; port 0 selects a free port. An address other than loopback requires tls_cert and tls_key, or allow_plain_http',
    default: '127.0.0.1:8000',
    parse: parseListenAddress,
  }),
  data: defineSetting({
    help: 'Directory of the embedded store and its secret key',
    default: './data',
    parse: raw => path.resolve(parseText(raw)),
  }),
  store: defineSetting({
    help: 'Database: sqlite (in the data directory), or the URL of a PostgreSQL that several servers can share',
    default: 'sqlite',
    parse: parseStoreUrl,
  }),
  store_direct: defineSetting({
    help: 'URL of the same PostgreSQL without a connection pooler, for notifications between servers and for migrations. Needed only if store is the URL of a pooler in transaction mode',
    isSecret: true,
    parse: parseDirectStoreUrl,
  }),
  secret_key: defineSetting({
    help: 'Key that protects the stored secrets, 32 bytes in base64. PostgreSQL requires it or secret_key_file. During a key rotation: the new key, then the old key',
    isSecret: true,
    parse: parseSecretKeys,
  }),
  secret_key_file: fileSetting(
    'File with the secret key; during a key rotation, the new key above the old key. Default with the embedded store: secret.key in the data directory, created at the first start',
  ),
  admin_password: defineSetting({
    help: 'Password of the first account, admin, instead of a generated password; used only at the first start',
    isSecret: true,
    parse: parsePassword,
  }),
  tls_cert: fileSetting('File with the TLS certificate and its chain, in PEM'),
  tls_key: fileSetting('File with the private key of the TLS certificate, in PEM'),
  allow_plain_http: booleanSetting(
    'Allow listening on addresses other than loopback without TLS; passwords are then sent in clear text',
  ),
  public_url: defineSetting({
    help: 'URL at which hosts reach the server, such as https://hostler.example:8000; it is written into the user data of new hosts',
    parse: parseServiceUrl,
  }),
  trust_proxy: defineSetting({
    help: 'Addresses and networks of trusted proxies. The server uses their X-Forwarded-For as the address of the client, and their X-Forwarded-Proto to find out whether the browser uses TLS',
    parse: parseNetworks,
  }),
  session_lifetime_s: integerSetting(
    { default: 28_800, min: 60, max: 604_800 },
    'Lifetime of a dashboard session, in seconds',
  ),
  compat: defineSetting({
    help: 'Compatibility mode. commissaire: respond to clients of Commissaire as they expect (403 for bad credentials, 201 for a repeated PUT, network optional)',
    default: 'none',
    parse: enumParser('none', 'commissaire'),
  }),
  log_level: defineSetting({
    help: `Log level: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: enumParser(...LOG_LEVELS),
  }),
  ...traceSettings,
  transport: defineSetting({
    help: `How the server connects to hosts that have no transport of their own: ${TRANSPORT_TYPES.join(', ')}, or none. With none, this server does not connect to hosts and leaves tasks to other servers`,
    default: KNOWN_TRANSPORTS[0].type,
    parse: enumParser(...TRANSPORT_TYPES, 'none'),
  }),
  openssh_config: fileSetting(
    'ssh_config file for the transport openssh, for example with jump hosts or certificate authorities for host keys. Without it, ssh reads no configuration file',
  ),
  etcd: defineSetting({
    help: 'URLs of the members of the etcd cluster that networks of the type flannel_etcd use by default',
    parse: parseHttpUrls,
  }),
  sources: defineSetting({
    help: 'Host sources: a list of entries with name, type, refresh_s and the options of the type; in the environment as JSON',
    isSecret: true,
    parse: parseSources,
  }),
  check_interval_s: integerSetting(
    { default: 60, min: 5, max: 86_400 },
    'Interval between health checks of a host, in seconds',
  ),
  lease_s: integerSetting(
    { default: 15, min: 3, max: 300 },
    'Seconds without a heartbeat after which other servers take over the hosts of a server',
  ),
  retention_operations_days: decimalSetting(
    { default: 365, min: MIN_RETENTION_DAYS, max: 36_500 },
    'Days to keep ended operations; can be a fraction, such as 0.5',
  ),
  retention_events_days: decimalSetting(
    { default: 365, min: MIN_RETENTION_DAYS, max: 36_500 },
    'Days to keep the audit log and events; can be a fraction. The server removes older entries and signs each removal',
  ),
  webhook_allow_private: booleanSetting('Allow webhooks to loopback, private and other non-public addresses'),
  allow_link_local: booleanSetting(
    'Allow container managers, networks and webhooks at link-local and cloud metadata addresses, where clouds serve machine credentials',
  ),
  webhook_disable_after_s: integerSetting(
    { default: 86_400, min: 1, max: 2_592_000 },
    'Seconds of continuous failure after which the server disables a webhook',
  ),
  event_heartbeat_s: integerSetting(
    { default: 15, min: 1, max: 3600 },
    'Interval between heartbeats on an event stream, in seconds',
  ),
  ...limitSettings,
};

export type SettingKey = keyof typeof settings;
export const settingKeys = Object.keys(settings) as SettingKey[];

export const environmentName = (key: string): string => `HOSTLER_${key.toUpperCase()}`;
export const flagName = (key: string): string => `--${key.replaceAll('_', '-')}`;

type Parsed<S> = S extends Setting<infer T> ? T : never;

/** The values of all settings; `undefined` for a setting without a value and a default. */
export type Config = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends { readonly default: string }
    ? Parsed<(typeof settings)[Key]>
    : Parsed<(typeof settings)[Key]> | undefined;
};
