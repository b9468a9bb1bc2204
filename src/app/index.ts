// A use case returns its result or an AppError. It changes records and creates tasks in one transaction. Only
// `replaceCredentials` waits for a host, before its transaction.

import type { DriverRecordKind } from '../domain/vocabulary.ts';
import { checkTokenUsable, createToken, getToken, listTokens, removeToken } from './accounts/enrolment-tokens.ts';
import {
  changePassword,
  changeRole,
  getAccount,
  listAccounts,
  putAccount,
  removeAccount,
} from './accounts/manage-accounts.ts';
import type { Authenticator } from './auth/authenticator.ts';
import type { SessionAuthenticator } from './auth/session-authenticator.ts';
import { confirmSession, createSession, endSession, endSessions } from './auth/sessions.ts';
import { addMember, removeMember, replaceMembers } from './clusters/change-members.ts';
import { putCluster, readPolicy, removeCluster, setPolicy } from './clusters/manage-clusters.ts';
import { getCluster, getMember, listClusters, listClustersWithCounts, listMembers } from './clusters/read-clusters.ts';
import { putDriverRecord, removeDriverRecord } from './driver-records/manage-driver-records.ts';
import {
  checkDriverRecord,
  getDriverRecord,
  listDriverRecords,
  listRedactedRecords,
} from './driver-records/read-driver-records.ts';
import { listAudit, subscribeToEvents } from './events/read-events.ts';
import { bulkEnrolHosts } from './hosts/bulk-enrol-hosts.ts';
import { enrolHost, resolveEnrolmentAddress } from './hosts/enrol-host.ts';
import { readCredentials, readHostAccess, replaceCredentials } from './hosts/host-credentials.ts';
import { readLabels, readMaintenance, removeHost, replaceLabels, setMaintenance } from './hosts/manage-hosts.ts';
import { readHostStatus } from './hosts/read-host-status.ts';
import { getHost, listChecks, listExtendedHosts, listHosts } from './hosts/read-hosts.ts';
import { readAnsibleInventory, readInventoryHost, readPrometheusTargets } from './hosts/read-inventory.ts';
import { acceptHostKey, rebootstrapHost } from './hosts/rebootstrap-host.ts';
import { NameResolver } from './hosts/resolve-name.ts';
import {
  cancelOperation,
  pauseOperation,
  readGlobalPause,
  resumeOperation,
  setGlobalPause,
} from './operations/control-operation.ts';
import { dryRun } from './operations/dry-run.ts';
import {
  getLatestOperation,
  getOperation,
  getOperationHost,
  listOperations,
  readRecord,
  summarize,
} from './operations/read-operations.ts';
import { retryHosts, skipHosts } from './operations/retry-and-skip-hosts.ts';
import { startOperation } from './operations/start-operation.ts';
import type { Ports } from './ports.ts';
import { createReadinessCheck } from './readiness.ts';
import { listDrivers, readOverview, readPublicKey } from './service-info.ts';
import { makeUserData } from './user-data/make-user-data.ts';
import { getWebhook, listWebhooks, putWebhook, removeWebhook, resumeWebhook, testWebhook } from './webhooks.ts';

type UseCase = (ports: Ports, ...rest: never[]) => unknown;
type Bound<F> = F extends (ports: Ports, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
type BoundAll<T> = { readonly [K in keyof T]: Bound<T[K]> };

function bindAll<T extends Record<string, UseCase>>(ports: Ports, useCases: T): BoundAll<T> {
  const bound = Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(undefined, ports)]);
  return Object.fromEntries(bound) as BoundAll<T>;
}

const driverRecords = (ports: Ports, kind: DriverRecordKind) => ({
  list: listDriverRecords.bind(undefined, ports, kind),
  listRedacted: listRedactedRecords.bind(undefined, ports, kind),
  get: getDriverRecord.bind(undefined, ports, kind),
  put: putDriverRecord.bind(undefined, ports, kind),
  remove: removeDriverRecord.bind(undefined, ports, kind),
  check: checkDriverRecord.bind(undefined, ports, kind),
});

export const createApp = (ports: Ports, authenticator: Authenticator, sessionAuthenticator: SessionAuthenticator) => ({
  findCachedLogin: authenticator.findCachedLogin.bind(authenticator),
  authenticate: authenticator.authenticate.bind(authenticator),
  authenticateWithFallback: authenticator.authenticateWithFallback.bind(authenticator),
  checkReadiness: createReadinessCheck(ports),
  healthReport: () => ports.healthReport(),
  readOverview: () => readOverview(ports),
  driverTypes: { os: ports.drivers.os.osNames, transport: ports.transports.map(({ type }) => type) },
  listDrivers: () => listDrivers(ports),
  readPublicKey: () => readPublicKey(ports),
  networks: driverRecords(ports, 'network'),
  containerManagers: driverRecords(ports, 'container_manager'),
  clusters: bindAll(ports, {
    list: listClusters,
    listWithCounts: listClustersWithCounts,
    get: getCluster,
    put: putCluster,
    remove: removeCluster,
    listMembers,
    getMember,
    replaceMembers,
    addMember,
    removeMember,
    readPolicy,
    setPolicy,
  }),
  operations: bindAll(ports, {
    list: listOperations,
    get: getOperation,
    getHost: getOperationHost,
    getLatest: getLatestOperation,
    readRecord,
    summarize,
    start: startOperation,
    dryRun,
    pause: pauseOperation,
    resume: resumeOperation,
    cancel: cancelOperation,
    retry: retryHosts,
    skip: skipHosts,
    setGlobalPause,
    readGlobalPause,
  }),
  names: new NameResolver(ports),
  resolveEnrolmentAddress,
  hosts: bindAll(ports, {
    list: listHosts,
    listExtended: listExtendedHosts,
    get: getHost,
    enrol: enrolHost,
    bulkEnrol: bulkEnrolHosts,
    remove: removeHost,
    readAccess: readHostAccess,
    readCredentials,
    replaceCredentials,
    acceptKey: acceptHostKey,
    readStatus: readHostStatus,
    listChecks,
    rebootstrap: rebootstrapHost,
    readLabels,
    replaceLabels,
    readMaintenance,
    setMaintenance,
  }),
  inventory: bindAll(ports, {
    forAnsible: readAnsibleInventory,
    forPrometheus: readPrometheusTargets,
    host: readInventoryHost,
  }),
  accounts: bindAll(ports, {
    list: listAccounts,
    get: getAccount,
    put: putAccount,
    changeRole,
    changePassword,
    remove: removeAccount,
  }),
  sessions: {
    findCachedLogin: sessionAuthenticator.findCachedLogin.bind(sessionAuthenticator),
    authenticate: sessionAuthenticator.authenticate.bind(sessionAuthenticator),
    confirm: confirmSession.bind(undefined, ports, authenticator),
    ...bindAll(ports, { create: createSession, end: endSession, endAll: endSessions }),
  },
  makeUserData: (...args: Parameters<Bound<typeof makeUserData>>) => makeUserData(ports, ...args),
  tokens: bindAll(ports, {
    list: listTokens,
    get: getToken,
    create: createToken,
    remove: removeToken,
    checkUsable: checkTokenUsable,
  }),
  audit: bindAll(ports, { list: listAudit }),
  recordRejection: ports.recordRejection,
  webhooks: bindAll(ports, {
    list: listWebhooks,
    get: getWebhook,
    put: putWebhook,
    remove: removeWebhook,
    resume: resumeWebhook,
    test: testWebhook,
  }),
  events: { position: () => ports.eventPosition(), ...bindAll(ports, { subscribe: subscribeToEvents }) },
});

export type App = ReturnType<typeof createApp>;
