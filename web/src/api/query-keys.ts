// Keys of the query cache. Invalidating a key also invalidates the keys that start with it.
// `live/affected-query-keys.ts` maps events to keys.

import type { HostStatus } from '#vocabulary';

/** Consists of strings, numbers and plain objects. Keys with equal JSON are equal. */
export type Key = readonly unknown[];

const cluster = (name: string) => ['cluster', name] as const;
const host = (address: string) => ['host', address] as const;
const operation = (id: string) => ['operation', id] as const;
const operations = ['operations'] as const;
const overview = ['overview'] as const;

export const queryKeys = {
  accounts: ['accounts'],
  audit: (search: object) => ['audit', search],
  allAudit: ['audit'],

  clusterNames: ['clusters'],
  cluster,
  clusterRecord: (name: string) => [...cluster(name), 'record'],
  clusterPolicy: (name: string) => [...cluster(name), 'policy'],
  clusterHistory: (name: string) => [...cluster(name), 'history'],

  hostTable: (cluster?: string) => ['hosts', cluster ?? null],
  hostnames: ['hostnames'],
  hostSearch: (text: string) => ['host-search', text],
  host,
  hostRecord: (address: string) => [...host(address), 'record'],
  hostStatus: (address: string) => [...host(address), 'status'],
  hostAccess: (address: string) => [...host(address), 'access'],
  hostChecks: (address: string) => [...host(address), 'checks'],
  hostHistory: (address: string) => [...host(address), 'history'],
  fingerprint: (line: string) => ['fingerprint', line],

  globalPause: ['global-pause'],
  operations,
  runningOperations: (filter: object = {}) => [...operations, 'running', filter],
  latestOperations: (name: string, limit: number) => [...operations, 'latest', name, limit],
  operationsOfHost: (address: string, limit: number) => [...operations, 'of-host', address, limit],
  conflictingOperation: (name: string) => [...operations, 'conflicting', name],
  /** Changes only when an operation ends. */
  pastOperations: ['past-operations'],
  pastOperationsPage: (search: object) => ['past-operations', search],
  operationDetails: (id: string) => ['operation-details', id],
  allOperationDetails: ['operation-details'],
  operationHosts: (id: string) => [...operation(id), 'hosts'],
  operationHost: (id: string, address: string) => [...operation(id), 'host', address],

  overview,
  overviewHosts: (status: HostStatus) => [...overview, 'hosts', status],
  healthChecks: ['health-checks'],

  networks: ['networks'],
  network: (name: string) => ['network', name],
  containerManagers: ['container-managers'],
  /** The records of a list of names. An event that changes the list changes both. */
  extendedList: (names: Key) => [...names, 'extended'],
  containerManager: (name: string) => ['container-manager', name],
  drivers: ['drivers'],
  identity: ['identity'],
  tokens: ['tokens'],
  webhooks: ['webhooks'],
  webhook: (name: string) => ['webhook', name],

  events: (filter: object) => ['events', filter],
} as const;
