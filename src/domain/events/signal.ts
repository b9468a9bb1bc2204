import type { Address } from '../addresses/address.ts';
import { parseAddress } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import { isRecordName } from '../record-name.ts';
import { NAME_PATTERN, OPERATION_ID_PATTERN } from '../vocabulary.ts';
import type { LogFilter } from './event-log.ts';

export interface OutputRef {
  readonly operation: string;
  readonly cluster: RecordName;
  readonly host: Address;
}

/** Not stored; can be lost. */
export interface OutputNotification extends Omit<OutputRef, 'host'> {
  readonly hosts: readonly Address[];
}

export type OutputSignal = `output ${RecordName} ${string} ${string}`;

/** Below 8000 bytes, the limit of PostgreSQL NOTIFY: an address has up to 39 bytes, both names up to 192. */
export const MAX_HOSTS_PER_NOTIFICATION = 100;

const OUTPUT_SIGNAL_PATTERN = new RegExp(`^output (${NAME_PATTERN}) (${OPERATION_ID_PATTERN}) ([0-9a-f.:,]+)$`);

export const formatOutputSignal = ({ cluster, operation, hosts }: OutputNotification): OutputSignal =>
  `output ${cluster} ${operation} ${hosts.join(',')}`;

/** Does not validate the addresses. */
const isOutputSignal = (text: string): text is OutputSignal => OUTPUT_SIGNAL_PATTERN.test(text);

export function parseOutputSignal(signal: string): OutputNotification | undefined {
  const [, cluster = '', operation = '', list = ''] = OUTPUT_SIGNAL_PATTERN.exec(signal) ?? [];
  const hosts = list.split(',').flatMap(text => parseAddress(text) ?? []);
  return isRecordName(cluster) && hosts.length > 0 ? { operation, cluster, hosts } : undefined;
}

function filterNotification(
  notification: OutputNotification,
  { cluster, host, operation }: LogFilter,
): OutputNotification | undefined {
  if (cluster !== undefined && notification.cluster !== cluster) return undefined;
  if (operation !== undefined && notification.operation !== operation) return undefined;
  if (host === undefined) return notification;
  const hosts = notification.hosts.filter(address => address === host);
  return hosts.length > 0 ? { ...notification, hosts } : undefined;
}

/** Without a filter, returns the same array, so it can be serialized once for many subscribers. */
export function filterNotifications(
  notifications: readonly OutputNotification[],
  filter: LogFilter,
): readonly OutputNotification[] {
  const isFiltered = Object.values(filter).some(value => value !== undefined);
  return isFiltered
    ? notifications.flatMap(notification => filterNotification(notification, filter) ?? [])
    : notifications;
}

/**
 * Sent after a commit to the servers that share the store; `outbox` is local to the server. `due`: a task or health
 * check is due. A signal can arrive twice or not at all, so receivers also poll. Output signals only drive live views.
 */
export type Signal = 'due' | 'outbox' | 'log' | `reconcile ${RecordName}` | OutputSignal;

const FIXED_SIGNALS: readonly string[] = ['due', 'outbox', 'log'] satisfies readonly Signal[];
const RECONCILE_PREFIX = 'reconcile ';

export function clusterToReconcile(signal: string): RecordName | undefined {
  const cluster = signal.startsWith(RECONCILE_PREFIX) ? signal.slice(RECONCILE_PREFIX.length) : '';
  return isRecordName(cluster) ? cluster : undefined;
}

export const isSignal = (text: string): text is Signal =>
  FIXED_SIGNALS.includes(text) || clusterToReconcile(text) !== undefined || isOutputSignal(text);
