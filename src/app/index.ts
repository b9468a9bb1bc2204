// The use cases: what can be asked of Hostler, each one function that answers what was asked for, or a Refusal.
// They change records and save the work that follows, in one transaction. None waits for a host but `replaceCredentials`, before its own.

import type { DriverRecordKind } from '../domain/vocabulary.ts';
import type { Authenticator } from './accounts/authenticator.ts';
import { changePassword } from './accounts/change-password.ts';
import { putAccount } from './accounts/put-account.ts';
import { getAccount, listAccounts } from './accounts/read-accounts.ts';
import { removeAccount } from './accounts/remove-account.ts';
import { beginSession } from './accounts/sessions/begin-session.ts';
import { confirmSession } from './accounts/sessions/confirm-session.ts';
import { endSession, endSessions } from './accounts/sessions/end-session.ts';
import type { SessionLogins } from './accounts/sessions/session-logins.ts';
import { listAudit } from './audit/read-audit.ts';
import { addMember, removeMember } from './clusters/change-member.ts';
import { readPolicy, setPolicy } from './clusters/policy.ts';
import { putCluster } from './clusters/put-cluster.ts';
import { getCluster, listClusters, listMembers, testMember } from './clusters/read-clusters.ts';
import { removeCluster } from './clusters/remove-cluster.ts';
import { replaceMembers } from './clusters/replace-members.ts';
import { checkDriverRecord } from './driver-records/check-driver-record.ts';
import { putDriverRecord } from './driver-records/put-driver-record.ts';
import { getDriverRecord, listDriverRecords } from './driver-records/read-driver-records.ts';
import { removeDriverRecord } from './driver-records/remove-driver-record.ts';
import { followEvents } from './events/follow-events.ts';
import { acceptHostKey } from './hosts/accept-host-key.ts';
import { bootstrapAgain } from './hosts/bootstrap-again.ts';
import { enrolHost } from './hosts/enrol-host.ts';
import { enrolHosts } from './hosts/enrol-hosts.ts';
import { enrolmentAddress } from './hosts/enrolment-address.ts';
import { readLabels, replaceLabels } from './hosts/labels.ts';
import { readMaintenance, setMaintenance } from './hosts/maintenance.ts';
import { readCredentials } from './hosts/read-credentials.ts';
import { readHostAccess } from './hosts/read-host-access.ts';
import { readHostStatus } from './hosts/read-host-status.ts';
import { getHost, listChecks, listExtendedHosts, listHosts } from './hosts/read-hosts.ts';
import { removeHost } from './hosts/remove-host.ts';
import { replaceCredentials } from './hosts/replace-credentials.ts';
import { readPublicKey } from './identity/read-identity.ts';
import { readForAnsible, readForPrometheus, readInventoryHost } from './inventory/read-inventory.ts';
import { listDrivers } from './list-drivers.ts';
import { dryRun } from './operations/dry-run.ts';
import { holdOperations, readHold } from './operations/hold-operations.ts';
import {
  getOperation,
  getOperationHost,
  listOperations,
  newestOperation,
  readRecord,
  summarize,
} from './operations/read-operations.ts';
import { startOperation } from './operations/start-operation.ts';
import { retryHosts, skipHosts } from './operations/steer-hosts.ts';
import { cancelOperation, pauseOperation, resumeOperation } from './operations/steer-operation.ts';
import { readOverview } from './overview/read-overview.ts';
import type { Ports } from './ports.ts';
import { readinessCheck } from './readiness.ts';
import { createToken } from './tokens/create-token.ts';
import { getToken, listTokens } from './tokens/read-tokens.ts';
import { removeToken } from './tokens/remove-token.ts';
import { unusableToken } from './tokens/unusable-token.ts';
import { makeUserData } from './user-data/make-user-data.ts';
import { putWebhook } from './webhooks/put-webhook.ts';
import { getWebhook, listWebhooks } from './webhooks/read-webhooks.ts';
import { removeWebhook } from './webhooks/remove-webhook.ts';
import { resumeWebhook } from './webhooks/resume-webhook.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

type UseCase = (ports: Ports, ...rest: never[]) => unknown;
type Bound<F> = F extends (ports: Ports, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never;
type BoundAll<T> = { readonly [K in keyof T]: Bound<T[K]> };

function bindAll<T extends Record<string, UseCase>>(ports: Ports, useCases: T): BoundAll<T> {
  const bound = Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(undefined, ports)]);
  return Object.fromEntries(bound) as BoundAll<T>;
}

const driverRecords = (ports: Ports, kind: DriverRecordKind) => ({
  list: listDriverRecords.bind(undefined, ports, kind),
  get: getDriverRecord.bind(undefined, ports, kind),
  put: putDriverRecord.bind(undefined, ports, kind),
  remove: removeDriverRecord.bind(undefined, ports, kind),
  check: checkDriverRecord.bind(undefined, ports, kind),
});

export const createApp = (ports: Ports, authenticator: Authenticator, sessionLogins: SessionLogins) => ({
  recentCaller: authenticator.recentCaller.bind(authenticator),
  authenticate: authenticator.authenticate.bind(authenticator),
  authenticateLasting: authenticator.authenticateLasting.bind(authenticator),
  readinessProblem: readinessCheck(ports),
  watchReport: () => ports.watchReport(),
  readOverview: () => readOverview(ports),
  /** Of drivers: every `os` that a host can have, once it is known, and by what hosts can be reached. */
  words: { os: ports.drivers.os.osNames, transport: ports.transports.map(({ type }) => type) },
  listDrivers: () => listDrivers(ports),
  /** The public half of the service's own SSH key. */
  readPublicKey: () => readPublicKey(ports),
  networks: driverRecords(ports, 'network'),
  containerManagers: driverRecords(ports, 'container_manager'),
  clusters: bindAll(ports, {
    list: listClusters,
    get: getCluster,
    put: putCluster,
    remove: removeCluster,
    listMembers,
    testMember,
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
    newest: newestOperation,
    readRecord,
    summarize,
    start: startOperation,
    dryRun,
    pause: pauseOperation,
    resume: resumeOperation,
    cancel: cancelOperation,
    retry: retryHosts,
    skip: skipHosts,
    hold: holdOperations,
    readHold,
  }),
  enrolmentAddress,
  hosts: bindAll(ports, {
    list: listHosts,
    listExtended: listExtendedHosts,
    get: getHost,
    enrol: enrolHost,
    enrolAll: enrolHosts,
    remove: removeHost,
    readAccess: readHostAccess,
    readCredentials,
    replaceCredentials,
    acceptKey: acceptHostKey,
    readStatus: readHostStatus,
    listChecks,
    bootstrapAgain,
    readLabels,
    replaceLabels,
    readMaintenance,
    setMaintenance,
  }),
  inventory: bindAll(ports, {
    forAnsible: readForAnsible,
    forPrometheus: readForPrometheus,
    host: readInventoryHost,
  }),
  accounts: bindAll(ports, {
    list: listAccounts,
    get: getAccount,
    put: putAccount,
    changePassword,
    remove: removeAccount,
  }),
  sessions: {
    recentCaller: sessionLogins.recent.bind(sessionLogins),
    find: sessionLogins.find.bind(sessionLogins),
    confirm: confirmSession.bind(undefined, ports, authenticator),
    ...bindAll(ports, { begin: beginSession, end: endSession, endAll: endSessions }),
  },
  makeUserData: (...of: Parameters<Bound<typeof makeUserData>>) => makeUserData(ports, ...of),
  tokens: bindAll(ports, {
    ...{ list: listTokens, get: getToken, create: createToken, remove: removeToken },
    unusable: unusableToken,
  }),
  audit: bindAll(ports, { list: listAudit }),
  requestRefused: ports.requestRefused,
  webhooks: bindAll(ports, {
    list: listWebhooks,
    get: getWebhook,
    put: putWebhook,
    remove: removeWebhook,
    resume: resumeWebhook,
    test: testWebhook,
  }),
  events: { position: () => ports.eventPosition(), ...bindAll(ports, { follow: followEvents }) },
});

export type App = ReturnType<typeof createApp>;
