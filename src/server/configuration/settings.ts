// Every setting, once: its key in hostler.yaml; from it follow the environment variable (`HOSTLER_` and capitals) and the flag
// (`--` and dashes). The help text, `docs/reference/configuration.md` and the parser are made from this table.

import path from 'node:path';
import { TRANSPORT_TYPES } from '../../drivers/transport/known-transports.ts';
import { LOG_LEVELS } from '../../lib/log.ts';
import { limitSettings } from './limit-settings.ts';
import type { Setting } from './setting.ts';
import { setting } from './setting.ts';
import {
  decimal,
  directStore,
  integer,
  listenAddress,
  networks,
  oneOf,
  onOrOff,
  password,
  secretKeys,
  serviceUrl,
  sourceEntries,
  storeLocation,
  text,
  urls,
} from './setting-values.ts';
import { traceSettings } from './trace-settings.ts';

/** Nine seconds: for trials. */
const SHORTEST_DAYS = 0.0001;

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
  store_direct: setting({
    help: 'The URL of the same PostgreSQL without a pooler between, for what servers tell each other; needed only when store is the URL of a pooler that shares sessions',
    isSecret: true,
    parse: directStore,
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
  public_url: setting({
    help: 'Where hosts find the service, such as https://hostler.example:8000; it is written into the user-data of new hosts',
    parse: serviceUrl,
  }),
  trust_proxy: setting({
    help: "Addresses and networks of proxies whose X-Forwarded-For tells the caller's address, and X-Forwarded-Proto whether a browser has TLS",
    parse: networks,
  }),
  session_s: setting({
    help: 'After how many seconds a session of the dashboard ends, and one has to sign in again',
    default: '28800',
    parse: integer(60, 604_800),
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
  ...traceSettings,
  transport: setting({
    help: `How hosts are reached that ask for nothing else: ${TRANSPORT_TYPES.join(', ')}, or none: this server reaches no host, and leaves what is to be done to others`,
    default: TRANSPORT_TYPES[0],
    parse: oneOf(...TRANSPORT_TYPES, 'none'),
  }),
  openssh_config: setting({
    help: 'An ssh_config file for the transport openssh: jump hosts, authorities that sign host keys. Without one it reads no file of this machine',
    parse: raw => path.resolve(text(raw)),
  }),
  etcd: setting({
    help: 'URLs of the members of the etcd that networks of the type flannel_etcd use unless they name another',
    parse: urls('http', 'https'),
  }),
  sources: setting({
    help: 'Host sources: a list of name, type, refresh_s and the options of the type; in the environment as JSON',
    isSecret: true,
    parse: sourceEntries,
  }),
  check_interval_s: setting({
    help: 'How often each host is checked, in seconds',
    default: '60',
    parse: integer(5, 86_400),
  }),
  lease_s: setting({
    help: 'After how many seconds other servers take over what a server that is not heard of was doing',
    default: '15',
    parse: integer(3, 300),
  }),
  keep_operations_days: setting({
    help: 'For how many days operations that are over are kept; fractions too, such as 0.5',
    default: '365',
    parse: decimal(SHORTEST_DAYS, 36_500),
  }),
  keep_log_days: setting({
    help: 'For how many days what happened is kept: the audit log and the events; what is older is cut off at a signed point; fractions too',
    default: '365',
    parse: decimal(SHORTEST_DAYS, 36_500),
  }),
  webhook_allow_private: setting({
    help: 'Allows webhooks to lead to loopback, private and other addresses that are not of the internet',
    default: 'false',
    isSwitch: true,
    parse: onOrOff,
  }),
  allow_link_local: setting({
    help: 'Allows container managers, networks and webhooks at link-local and other addresses where clouds serve the credentials of a machine',
    default: 'false',
    isSwitch: true,
    parse: onOrOff,
  }),
  webhook_give_up_s: setting({
    help: 'For how many seconds a webhook may fail until it is parked',
    default: '86400',
    parse: integer(1, 2_592_000),
  }),
  event_heartbeat_s: setting({
    help: 'How many seconds a stream of events may be silent before a sign of life is sent',
    default: '15',
    parse: integer(1, 3600),
  }),
  ...limitSettings,
};

export type SettingKey = keyof typeof settings;
export const settingKeys = Object.keys(settings) as SettingKey[];

/** Of a setting that is there, or of one that had this key. */
export const environmentName = (key: string): string => `HOSTLER_${key.toUpperCase()}`;
export const flagName = (key: string): string => `--${key.replaceAll('_', '-')}`;

type Parsed<S> = S extends Setting<infer T> ? T : never;

/** The configuration: every setting's value, or `undefined` for one that is off. */
export type Config = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends { readonly default: string }
    ? Parsed<(typeof settings)[Key]>
    : Parsed<(typeof settings)[Key]> | undefined;
};
