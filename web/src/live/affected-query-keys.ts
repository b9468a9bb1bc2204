import type { EventResource, EventType } from '#vocabulary';
import { eventResource } from '#vocabulary';
import type { Key } from '../api/query-keys.ts';
import { queryKeys } from '../api/query-keys.ts';
import { getText, getTextList } from './event-fields.ts';
import type { LoggedEvent } from './recent-events.ts';

const getName = (event: LoggedEvent) => getText(event, 'name');

type HostKeys = readonly ((address: string) => Key)[];

/** An event type without an entry affects all queries of the host. */
const HOST_KEYS_BY_EVENT: Readonly<Record<string, HostKeys>> = {
  'host.status': [queryKeys.hostRecord, queryKeys.hostStatus, queryKeys.hostChecks],
  'host.labels_changed': [queryKeys.hostStatus],
  'host.maintenance_changed': [queryKeys.hostStatus],
  'host.credentials_changed': [queryKeys.hostAccess, queryKeys.hostStatus],
  'operation.host': [queryKeys.hostStatus],
} satisfies Partial<Record<EventType, HostKeys>>;

const hostKeys = ({ host, type }: LoggedEvent): readonly Key[] =>
  host === null ? [] : (HOST_KEYS_BY_EVENT[type] ?? [queryKeys.host]).map(toKey => toKey(host));

/** The counts of a cluster change with its hosts; its policy and history do not. */
const clusterKeysOfHost = ({ cluster }: LoggedEvent): readonly Key[] =>
  cluster === null ? [] : [queryKeys.clusterRecord(cluster)];

/** The server learns the hostname of a host before it bootstraps it. */
const hostnameKeys = (event: LoggedEvent): readonly Key[] =>
  event.type === 'host.status' && getText(event, 'to') === 'bootstrapping' ? [queryKeys.hostnames] : [];

const memberKeys = (event: LoggedEvent): readonly Key[] =>
  [...getTextList(event, 'joined'), ...getTextList(event, 'left')].map(queryKeys.hostStatus);

const clusterKeys = ({ cluster }: LoggedEvent): readonly Key[] =>
  cluster === null ? [] : [queryKeys.clusterRecord(cluster), queryKeys.clusterPolicy(cluster)];

const operationKeys = ({ operation, type }: LoggedEvent): readonly Key[] => [
  queryKeys.operations,
  ...(type === 'operation.host' ? [] : [queryKeys.pastOperations, queryKeys.overview]),
  ...(operation === null ? [] : [queryKeys.operationDetails(operation)]),
];

type AffectedKeys = (event: LoggedEvent) => readonly Key[];

/** By the resource of the event. Queries that are updated by events without a refetch are not listed. */
const KEYS_BY_CATEGORY: Readonly<Record<string, AffectedKeys>> = {
  account: () => [queryKeys.accounts],
  cluster: event => [...[queryKeys.clusterNames, queryKeys.overview], ...clusterKeys(event), ...memberKeys(event)],
  container_manager: event => [queryKeys.containerManagers, queryKeys.containerManager(getName(event))],
  host: event => [
    ...[queryKeys.overview, queryKeys.healthChecks],
    ...hostKeys(event),
    ...hostnameKeys(event),
    ...clusterKeysOfHost(event),
    // Unavailable hosts count against the budget of an operation.
    ...(['host.status', 'host.maintenance_changed'].includes(event.type) ? [queryKeys.allOperationDetails] : []),
    // The enrolment used the token once.
    ...(getText(event, 'token') === '' ? [] : [queryKeys.tokens]),
  ],
  network: event => [queryKeys.networks, queryKeys.network(getName(event))],
  operation: event => [...operationKeys(event), ...hostKeys(event)],
  operations: () => [queryKeys.globalPause, queryKeys.operations, queryKeys.allOperationDetails],
  token: () => [queryKeys.tokens],
  webhook: event => [queryKeys.webhooks, queryKeys.webhook(getName(event))],
} satisfies Partial<Record<EventResource, AffectedKeys>>;

/** A read changes nothing. A refetch would emit the same event again, in an endless loop. */
const READ_ONLY_EVENTS: ReadonlySet<string> = new Set<EventType>([
  'container_manager.secrets_read',
  'host.credentials_read',
  'network.secrets_read',
]);

export function affectedQueryKeys(event: LoggedEvent): readonly Key[] {
  const toKeys = READ_ONLY_EVENTS.has(event.type) ? undefined : KEYS_BY_CATEGORY[eventResource(event.type)];
  return [queryKeys.allAudit, ...(toKeys?.(event) ?? [])];
}
