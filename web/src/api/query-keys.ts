// Under what each thing that was read is kept. What begins with the key of something is a part of it, and is read anew with it;
// `live/what-changes.ts` says by which events.

import type { HostStatus } from '#vocabulary';

/** As strings, numbers and plain objects; two are the same when their JSON is. */
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
  /** Folded event by event. */
  clusterHistory: (name: string) => [...cluster(name), 'history'],

  /** Folded event by event. */
  hostTable: (cluster?: string) => ['fleet', cluster ?? null],
  host,
  hostRecord: (address: string) => [...host(address), 'record'],
  hostStatus: (address: string) => [...host(address), 'status'],
  hostAccess: (address: string) => [...host(address), 'access'],
  hostChecks: (address: string) => [...host(address), 'checks'],
  /** Folded event by event. */
  hostHistory: (address: string) => [...host(address), 'history'],
  fingerprint: (line: string) => ['fingerprint', line],

  globalPause: ['hold'],
  operations,
  runningOperations: (filter: object = {}) => [...operations, 'running', filter],
  latestOperations: (name: string, limit: number) => [...operations, 'newest', name, limit],
  operationsOfHost: (address: string, limit: number) => [...operations, 'of-host', address, limit],
  conflictingOperation: (name: string) => [...operations, 'in-the-way', name],
  /** Those that are over change only when one more is. */
  pastOperations: ['ended-operations'],
  pastOperationsPage: (search: object) => ['ended-operations', search],
  operationDetails: (id: string) => ['operation-whole', id],
  allOperationDetails: ['operation-whole'],
  /** Folded event by event. */
  operationHosts: (id: string) => [...operation(id), 'hosts'],
  operationHost: (id: string, address: string) => [...operation(id), 'host', address],

  overview,
  overviewHosts: (status: HostStatus) => [...overview, 'hosts', status],
  healthChecks: ['watch'],

  networks: ['networks'],
  network: (name: string) => ['network', name],
  containerManagers: ['container-managers'],
  containerManager: (name: string) => ['container-manager', name],
  drivers: ['drivers'],
  identity: ['identity'],
  tokens: ['tokens'],
  webhooks: ['webhooks'],
  webhook: (name: string) => ['webhook', name],

  /** Folded event by event. */
  events: (filter: object) => ['events', filter],
} as const;
