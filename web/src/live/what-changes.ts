import type { EventResource, EventType } from '#vocabulary';
import { eventResource } from '#vocabulary';
import type { Key } from '../api/keys.ts';
import { keys } from '../api/keys.ts';
import { listOf, textOf } from './event-data.ts';
import type { LoggedEvent } from './recent-events.ts';

const nameOf = (event: LoggedEvent) => textOf(event, 'name');

type HostKeys = readonly ((address: string) => Key)[];

/** What changes of a host by each type of event; left out: everything. */
const OF_HOST: Readonly<Record<string, HostKeys>> = {
  'host.status': [keys.hostRecord, keys.hostStatus, keys.hostChecks],
  'host.labels_changed': [keys.hostStatus],
  'host.maintenance_changed': [keys.hostStatus],
  'host.credentials_changed': [keys.hostAccess, keys.hostStatus],
  'operation.host': [keys.hostStatus],
} satisfies Partial<Record<EventType, HostKeys>>;

const ofHost = ({ host, type }: LoggedEvent): readonly Key[] =>
  host === null ? [] : (OF_HOST[type] ?? [keys.host]).map(of => of(host));

/** The counts of a cluster change with its hosts; its policy and its own history do not. */
const ofClusterOfHost = ({ cluster }: LoggedEvent): readonly Key[] =>
  cluster === null ? [] : [keys.clusterRecord(cluster)];

const movedHosts = (event: LoggedEvent): readonly Key[] =>
  [...listOf(event, 'joined'), ...listOf(event, 'left')].map(keys.hostStatus);

const ofCluster = ({ cluster }: LoggedEvent): readonly Key[] =>
  cluster === null ? [] : [keys.clusterRecord(cluster), keys.clusterPolicy(cluster)];

const ofOperation = ({ operation, type }: LoggedEvent): readonly Key[] => [
  keys.operations,
  ...(type === 'operation.host' ? [] : [keys.endedOperations, keys.overview]),
  ...(operation === null ? [] : [keys.operationWhole(operation)]),
];

type ChangedKeys = (event: LoggedEvent) => readonly Key[];

/** By the noun of the event. What is folded event by event is no part of it. */
const CHANGES: Readonly<Record<string, ChangedKeys>> = {
  account: () => [keys.accounts],
  cluster: event => [...[keys.clusterNames, keys.overview], ...ofCluster(event), ...movedHosts(event)],
  container_manager: event => [keys.containerManagers, keys.containerManager(nameOf(event))],
  host: event => [
    ...[keys.overview, keys.watch],
    ...ofHost(event),
    ...ofClusterOfHost(event),
    // Hosts that are out of service count against the budget of an operation.
    ...(['host.status', 'host.maintenance_changed'].includes(event.type) ? [keys.operationWholes] : []),
    // One use of the token by which it has come.
    ...(textOf(event, 'token') === '' ? [] : [keys.tokens]),
  ],
  network: event => [keys.networks, keys.network(nameOf(event))],
  operation: event => [...ofOperation(event), ...ofHost(event)],
  operations: () => [keys.hold, keys.operations, keys.operationWholes],
  token: () => [keys.tokens],
  webhook: event => [keys.webhooks, keys.webhook(nameOf(event))],
} satisfies Partial<Record<EventResource, ChangedKeys>>;

/** Whoever reads changes nothing, and must not be told to read again: that would be told as well, without end. */
const READS: ReadonlySet<string> = new Set<EventType>([
  'container_manager.secrets_read',
  'host.credentials_read',
  'network.secrets_read',
]);

/** What was read and is no longer true after an event. */
export function whatChanges(event: LoggedEvent): readonly Key[] {
  const change = READS.has(event.type) ? undefined : CHANGES[eventResource(event.type)];
  return [keys.allAudit, ...(change?.(event) ?? [])];
}
