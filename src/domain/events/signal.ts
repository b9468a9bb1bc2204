import type { Address } from '../addresses/address.ts';
import { parseAddress } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import { isRecordName } from '../record-name.ts';
import { NAME_PATTERN, OPERATION_ID_PATTERN } from '../vocabulary.ts';
import type { LogFilter } from './event-log.ts';

/** What a step of an operation has said on a host is in the store. */
export interface OutputRef {
  readonly operation: string;
  readonly cluster: RecordName;
  readonly host: Address;
}

/** Steps of an operation have said more on these hosts, and it can be read. Hints are kept nowhere, and may be lost. */
export interface OutputNotification extends Omit<OutputRef, 'host'> {
  readonly hosts: readonly Address[];
}

/** A hint on its way to other servers. */
export type OutputSignal = `output ${RecordName} ${string} ${string}`;

/** As many as fit into 8000 bytes, which is PostgreSQL's limit: an address has up to 39, both names together up to 192. */
export const MAX_HOSTS_PER_NOTIFICATION = 100;

const OUTPUT_SIGNAL_PATTERN = new RegExp(
  `^output (${NAME_PATTERN}) (${OPERATION_ID_PATTERN}) ([0-9a-f.:,]+)$`,
);

export const formatOutputSignal = ({ cluster, operation, hosts }: OutputNotification): OutputSignal =>
  `output ${cluster} ${operation} ${hosts.join(',')}`;

/** Whether it looks like one; the addresses are read by who wants them. */
export const isOutputSignal = (text: string): text is OutputSignal => OUTPUT_SIGNAL_PATTERN.test(text);

export function parseOutputSignal(signal: string): OutputNotification | undefined {
  const [, cluster = '', operation = '', list = ''] = OUTPUT_SIGNAL_PATTERN.exec(signal) ?? [];
  const hosts = list.split(',').flatMap(text => parseAddress(text) ?? []);
  return isRecordName(cluster) && hosts.length > 0 ? { operation, cluster, hosts } : undefined;
}

/** What of a hint somebody wants; `undefined`: nothing. */
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

/** The list itself where nothing is left out, so that it is written once for many. */
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
 * Notifications between the servers of one store, sent after a commit: a task or check is due (`due`), the operation on a cluster must be
 * reconciled (`reconcile`), the event log has grown (`log`), steps have written more output (`output` and where), a client reads such
 * output (`output_subscribed`). `outbox` stays on the server: the outbox has entries for the log. A signal can arrive twice or not at
 * all, so listeners also poll; except for output, which is only shown to people.
 */
export type Signal =
  | 'due'
  | 'outbox'
  | 'log'
  | 'output_subscribed'
  | `reconcile ${RecordName}`
  | OutputSignal;

const FIXED_SIGNALS: readonly string[] = [
  'due',
  'outbox',
  'log',
  'output_subscribed',
] satisfies readonly Signal[];
const RECONCILE_PREFIX = 'reconcile ';

/** The cluster that news is of. */
export function clusterToReconcile(signal: string): RecordName | undefined {
  const cluster = signal.startsWith(RECONCILE_PREFIX) ? signal.slice(RECONCILE_PREFIX.length) : '';
  return isRecordName(cluster) ? cluster : undefined;
}

export const isSignal = (text: string): text is Signal =>
  FIXED_SIGNALS.includes(text) || clusterToReconcile(text) !== undefined || isOutputSignal(text);
