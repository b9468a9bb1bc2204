// The most expensive request that each route accepts, with all hosts in one cluster. A route without an entry
// does not compile.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { RouteName } from '../../src/contract/index.ts';
import type { LoadRequest } from '../load-generator.ts';
import type { BenchContext } from './requests.ts';
import { cancelOperation, createAdminRequest, findNewestOperation, joinAllHosts, startOperation } from './requests.ts';

export interface WorstRequest {
  /** Creates the state that the request needs. Not measured. */
  readonly prepare?: (fleet: BenchContext, round: number) => Promise<unknown>;
  readonly createRequest: (fleet: BenchContext, round: number) => LoadRequest | Promise<LoadRequest>;
  /** The response never ends. */
  readonly isStream?: true;
  /** The target, if it differs from the default limit. */
  readonly limitMs?: number;
}

const LABELS = 64;
const BULK_HOSTS = 1000;
const KIB = 1024;
/** A request body with a policy has at most 1,000 values. */
const HOSTS_IN_POLICY = 900;
const REPLACEMENT_LIMIT_MS = 300;
/** About 48 KiB; the limit is 64 KiB. */
const CERTIFICATES = rootCertificates.slice(0, 32).join('\n');
/** The longest token of a container manager. */
const LONG_TOKEN = 'x'.repeat(64 * KIB);

const get = (path: string): WorstRequest => ({ createRequest: () => createAdminRequest('GET', path) });
const clusterRequest = (method: 'GET' | 'DELETE', path = ''): WorstRequest => ({
  createRequest: ({ cluster }) => createAdminRequest(method, `/cluster/${cluster}${path}`),
});
const hostRequest = (method: 'GET' | 'PUT' | 'DELETE', path = '', body?: unknown): WorstRequest => ({
  createRequest: ({ addresses }, round) => createAdminRequest(method, `/host/${addresses[round]}${path}`, body),
});
/** A new name for each request, so that each one creates a record. */
const newName = () => `bench-${randomBytes(8).toString('hex')}`;
const createRecordRequest = (path: string, body: unknown, rest = ''): WorstRequest => ({
  createRequest: () => createAdminRequest('PUT', `/${path}/${newName()}${rest}`, body),
});
const requestOnExisting = (
  path: string,
  body: unknown,
  createRequest: WorstRequest['createRequest'],
): WorstRequest => ({
  prepare: ({ sendUnmeasured }) => sendUnmeasured(createAdminRequest('PUT', path, body)),
  createRequest,
});

const key = () =>
  Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
const KEYS = Array.from({ length: BULK_HOSTS }, key);
const newAddress = (round: number, index: number) => `127.${200 + round}.${index >> 8}.${index & 255}`;

/** A request about a host that `putHost` has enrolled. */
const newHostRequest = (method: 'GET' | 'PUT', path: string, body?: unknown): WorstRequest => ({
  createRequest: (_fleet, round) => createAdminRequest(method, `/host/${newAddress(round, 1)}${path}`, body),
});

/** A request about the newest operation, whose plan contains all hosts. */
const operationRequest = (
  method: 'GET' | 'PUT',
  path: (fleet: BenchContext) => string,
  body?: (fleet: BenchContext) => unknown,
): WorstRequest => ({
  prepare: startOperation,
  createRequest: async fleet =>
    createAdminRequest(method, `/operation/${(await findNewestOperation(fleet))?.id}${path(fleet)}`, body?.(fleet)),
});

/** The dry run returns the plan of all hosts; the order names as many as a policy can. */
const startOperationRequest = (kind: 'restart' | 'upgrade' | 'deploy', isDryRun: boolean): WorstRequest => ({
  prepare: cancelOperation,
  createRequest: ({ cluster, addresses }) =>
    createAdminRequest('PUT', `/cluster/${cluster}/${kind}`, {
      ...(kind === 'deploy' && { version: '1' }),
      policy: { dry_run: isDryRun, order: addresses.slice(0, HOSTS_IN_POLICY) },
    }),
});

/** Removes and adds all members alternately. */
const replaceAllMembers: WorstRequest = {
  limitMs: REPLACEMENT_LIMIT_MS,
  createRequest: async ({ sendUnmeasured, cluster, addresses }) => {
    const old = (await sendUnmeasured(createAdminRequest('GET', `/cluster/${cluster}/hosts`))) as string[];
    return createAdminRequest('PUT', `/cluster/${cluster}/hosts`, {
      old,
      new: old.length === 0 ? addresses : [],
    });
  },
};

const webhook = { url: `https://127.0.0.1:1/${'x'.repeat(2000)}`, secret: 'x'.repeat(256) };
const network = { type: 'none', options: {} };
const manager = {
  type: 'k3s',
  options: { server_url: 'https://127.0.0.1:1', token: LONG_TOKEN, api_token: LONG_TOKEN },
};
const token = { expires_in_s: 60 };
const account = { password: 'x'.repeat(128), role: 'viewer' };
const labels = Object.fromEntries(
  Array.from({ length: LABELS }, (_, index) => [`label-${index}`.padEnd(63, 'x'), 'v'.repeat(63)]),
);

export const WORST_REQUESTS: Readonly<Record<RouteName, WorstRequest>> = {
  getLiveness: { createRequest: () => ({ method: 'GET', path: '/healthz' }) },
  getReadiness: { createRequest: () => ({ method: 'GET', path: '/readyz' }) },
  getOpenApi: { createRequest: () => ({ method: 'GET', path: '/openapi.json' }) },
  getDocs: { createRequest: () => ({ method: 'GET', path: '/docs' }) },
  getMetrics: { createRequest: () => ({ ...createAdminRequest('GET', ''), path: '/metrics' }) },

  listHosts: get('/hosts?extended=true'),
  resolveName: get('/resolve?name=localhost'),
  getHost: hostRequest('GET'),
  getHostStatus: hostRequest('GET', '/status'),
  getHostChecks: hostRequest('GET', '/checks'),
  getHostLabels: hostRequest('GET', '/labels'),
  getHostMaintenance: hostRequest('GET', '/maintenance'),
  getAnsibleInventory: get('/inventory/ansible'),
  getPrometheusTargets: get('/inventory/prometheus'),
  getOverview: get('/overview'),
  getHealthChecks: get('/health-checks'),
  listClusters: get('/cluster/'),
  getCluster: clusterRequest('GET'),
  listMembers: clusterRequest('GET', '/hosts'),
  getMember: {
    createRequest: ({ cluster, addresses }) => createAdminRequest('GET', `/cluster/${cluster}/hosts/${addresses[0]}`),
  },
  getClusterPolicy: clusterRequest('GET', '/policy'),
  listNetworks: get('/networks/'),
  getNetwork: get('/network/default'),
  listContainerManagers: get('/containermanagers/'),
  listDrivers: get('/drivers'),
  getIdentity: get('/identity'),
  listAccounts: get('/users'),
  getOwnAccount: get('/user'),
  getAccount: get('/user/admin'),
  listTokens: get('/tokens'),
  listWebhooks: get('/webhooks'),
  getGlobalPause: get('/pause'),

  putHostLabels: hostRequest('PUT', '/labels', labels),
  putHostMaintenance: hostRequest('PUT', '/maintenance', { on: true, reason: 'x'.repeat(256) }),
  acceptHostKey: hostRequest('PUT', '/accept-key', { fingerprint: `SHA256:${'x'.repeat(43)}` }),
  putNetwork: createRecordRequest('network', network),
  checkNetwork: requestOnExisting('/network/bench', network, () =>
    createAdminRequest('PUT', '/network/bench/check', {}),
  ),
  removeNetwork: requestOnExisting('/network/bench', network, () => createAdminRequest('DELETE', '/network/bench')),
  putContainerManager: createRecordRequest('containermanager', manager),
  getContainerManager: requestOnExisting('/containermanager/bench', manager, () =>
    createAdminRequest('GET', '/containermanager/bench'),
  ),
  checkContainerManager: requestOnExisting('/containermanager/bench', manager, () =>
    createAdminRequest('PUT', '/containermanager/bench/check', {}),
  ),
  removeContainerManager: requestOnExisting('/containermanager/bench', manager, () =>
    createAdminRequest('DELETE', '/containermanager/bench'),
  ),
  putWebhook: createRecordRequest('webhook', webhook),
  getWebhook: requestOnExisting('/webhook/bench', webhook, () => createAdminRequest('GET', '/webhook/bench')),
  resumeWebhook: requestOnExisting('/webhook/bench', webhook, () =>
    createAdminRequest('PUT', '/webhook/bench/resume', {}),
  ),
  testWebhook: requestOnExisting('/webhook/bench', webhook, () => createAdminRequest('PUT', '/webhook/bench/test', {})),
  removeWebhook: requestOnExisting('/webhook/bench', webhook, () => createAdminRequest('DELETE', '/webhook/bench')),
  putAccount: createRecordRequest('user', account),
  changePassword: requestOnExisting('/user/bench', account, () =>
    createAdminRequest('PUT', '/user/bench/password', { password: account.password }),
  ),
  removeSessions: requestOnExisting('/user/bench', account, () => createAdminRequest('DELETE', '/user/bench/sessions')),
  removeAccount: requestOnExisting('/user/bench', account, () => createAdminRequest('DELETE', '/user/bench')),
  createSession: { createRequest: () => createAdminRequest('PUT', '/session', {}) },
  // Without a session nothing is confirmed; `createSession` covers the cost of the hash.
  confirmSession: {
    createRequest: () => createAdminRequest('PUT', '/session/confirmation', { current_password: 'x' }),
  },
  removeSession: { createRequest: () => createAdminRequest('DELETE', '/session') },
  putToken: createRecordRequest('token', token),
  getToken: requestOnExisting('/token/bench', token, () => createAdminRequest('GET', '/token/bench')),
  removeToken: requestOnExisting('/token/bench', token, () => createAdminRequest('DELETE', '/token/bench')),
  createUserData: {
    createRequest: ({ cluster }) =>
      createAdminRequest('PUT', `/cluster/${cluster}/user-data`, {
        url: 'https://hostler.example',
        ca: CERTIFICATES,
      }),
  },
  putCluster: createRecordRequest('cluster', { network: 'default' }),
  putClusterPolicy: {
    createRequest: ({ cluster, addresses }) =>
      createAdminRequest('PUT', `/cluster/${cluster}/policy`, { order: addresses.slice(0, HOSTS_IN_POLICY) }),
  },

  pauseAllOperations: { createRequest: () => createAdminRequest('PUT', '/pause', {}) },
  putRestart: startOperationRequest('restart', false),
  putUpgrade: startOperationRequest('upgrade', true),
  putDeploy: startOperationRequest('deploy', true),
  getRestart: { prepare: startOperation, ...clusterRequest('GET', '/restart') },
  getUpgrade: clusterRequest('GET', '/upgrade'),
  getDeploy: clusterRequest('GET', '/deploy'),
  listOperations: get('/operations?limit=1000'),
  getOperation: operationRequest('GET', () => ''),
  getOperationHost: operationRequest('GET', ({ addresses }) => `/hosts/${addresses[0]}`),
  pauseOperation: operationRequest(
    'PUT',
    () => '/pause',
    () => ({}),
  ),
  resumeOperation: operationRequest(
    'PUT',
    () => '/resume',
    () => ({}),
  ),
  retryHosts: operationRequest(
    'PUT',
    () => '/retry',
    ({ addresses }) => ({ hosts: addresses }),
  ),
  skipHosts: operationRequest(
    'PUT',
    () => '/skip',
    ({ addresses }) => ({ hosts: addresses }),
  ),
  cancelOperation: operationRequest(
    'PUT',
    () => '/cancel',
    () => ({}),
  ),
  resumeAllOperations: {
    prepare: cancelOperation,
    createRequest: () => createAdminRequest('PUT', '/resume', {}),
  },

  removeMember: {
    createRequest: ({ cluster, addresses }, round) =>
      createAdminRequest('DELETE', `/cluster/${cluster}/hosts/${addresses[round]}`),
  },
  addMember: {
    createRequest: ({ cluster, addresses }, round) =>
      createAdminRequest('PUT', `/cluster/${cluster}/hosts/${addresses[round]}`, {}),
  },
  replaceMembers: replaceAllMembers,
  removeCluster: { prepare: joinAllHosts, ...clusterRequest('DELETE'), limitMs: REPLACEMENT_LIMIT_MS },
  listAudit: get('/audit?limit=1000'),
  streamEvents: {
    isStream: true,
    createRequest: () => createAdminRequest('GET', '/events?after=0&cluster=none'),
  },

  bootstrapHost: hostRequest('PUT', '/bootstrap', {}),
  removeHost: hostRequest('DELETE'),
  putHost: {
    createRequest: (_fleet, round) =>
      createAdminRequest('PUT', `/host/${newAddress(round, 1)}`, { ssh_priv_key: KEYS[0] }),
  },
  getHostAccess: newHostRequest('GET', '/access'),
  getHostCreds: newHostRequest('GET', '/creds'),
  putHostCreds: newHostRequest('PUT', '/creds', { ssh_priv_key: KEYS[0] }),
  enrolSelf: {
    createRequest: (_fleet, round) =>
      createAdminRequest('PUT', '/host', { address: newAddress(round, 2), ssh_priv_key: KEYS[0] }),
  },
  enrolHosts: {
    createRequest: (_fleet, round) =>
      createAdminRequest('PUT', '/hosts/bulk', {
        hosts: KEYS.map((ssh_priv_key, index) => ({ address: newAddress(round, 3 + index), ssh_priv_key })),
      }),
  },
};

/** Other expensive requests: rejected after much work, or with a filter that matches nothing. */
export const MORE_REQUESTS: Readonly<Record<string, WorstRequest>> = {
  'audit log, nothing matches': get('/audit?cluster=none&limit=1000'),
  'unknown IPv6 members': {
    limitMs: REPLACEMENT_LIMIT_MS,
    createRequest: ({ cluster, addresses }) =>
      createAdminRequest('PUT', `/cluster/${cluster}/hosts`, {
        old: addresses,
        new: addresses.map((_, index) => `2001:db8::${index.toString(16)}`),
      }),
  },
  'members that are no addresses': {
    limitMs: REPLACEMENT_LIMIT_MS,
    createRequest: ({ cluster, addresses }) =>
      createAdminRequest('PUT', `/cluster/${cluster}/hosts`, { old: [], new: addresses.map(() => 'x') }),
  },
  'hosts without a key': {
    createRequest: ({ addresses }) =>
      createAdminRequest('PUT', '/hosts/bulk', {
        hosts: addresses.slice(0, BULK_HOSTS).map(address => ({ address, ssh_port: 'x' })),
      }),
  },
  'too many values': {
    createRequest: ({ cluster }) =>
      createAdminRequest('PUT', `/cluster/${cluster}/hosts`, {
        old: Array.from({ length: 340_000 }, () => 1),
      }),
  },
};
