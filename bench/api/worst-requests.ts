// The most expensive request that each route accepts, with all hosts in one cluster. A route without an entry does not compile.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { RouteName } from '../../src/contract/index.ts';
import type { Shot } from '../load.ts';
import type { Fleet } from './prepare-fleet.ts';
import { endOperation, joinAll, newestOperation, startOperation } from './prepare-fleet.ts';
import { authorized } from './requests.ts';

export interface WorstRequest {
  /** Puts the records into the state that the request needs. It is not measured. */
  readonly prepare?: (fleet: Fleet, round: number) => Promise<unknown>;
  readonly shot: (fleet: Fleet, round: number) => Shot | Promise<Shot>;
  /** The answer never ends. */
  readonly isStream?: true;
  /** What is aimed at, if it is not the usual limit. */
  readonly limitMs?: number;
}

const LABELS = 64;
const BULK_HOSTS = 1000;
const KIB = 1024;
/** A policy is sent in a body of at most 1,000 values. */
const NAMED_IN_POLICY = 900;
const REPLACEMENT_LIMIT_MS = 300;
/** About 48 KiB: up to 64 KiB are accepted. */
const CERTIFICATES = rootCertificates.slice(0, 32).join('\n');
/** The longest token of a container manager. */
const LONG_TOKEN = 'x'.repeat(64 * KIB);

const get = (path: string): WorstRequest => ({ shot: () => authorized('GET', path) });
const ofCluster = (method: 'GET' | 'DELETE', path = ''): WorstRequest => ({
  shot: ({ cluster }) => authorized(method, `/cluster/${cluster}${path}`),
});
const ofHost = (method: 'GET' | 'PUT' | 'DELETE', path = '', body?: unknown): WorstRequest => ({
  shot: ({ addresses }, round) => authorized(method, `/host/${addresses[round]}${path}`, body),
});
/** A name for each request, so that each one creates a record. */
const newName = () => `bench-${randomBytes(8).toString('hex')}`;
const create = (path: string, body: unknown, rest = ''): WorstRequest => ({
  shot: () => authorized('PUT', `/${path}/${newName()}${rest}`, body),
});
const existing = (path: string, body: unknown, shot: WorstRequest['shot']): WorstRequest => ({
  prepare: ({ ask }) => ask(authorized('PUT', path, body)),
  shot,
});

const key = () =>
  Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })).toString(
    'base64',
  );
const KEYS = Array.from({ length: BULK_HOSTS }, key);
const newAddress = (round: number, index: number) => `127.${200 + round}.${index >> 8}.${index & 255}`;

/** One that `putHost` has enrolled. */
const ofNewHost = (method: 'GET' | 'PUT', path: string, body?: unknown): WorstRequest => ({
  shot: (_fleet, round) => authorized(method, `/host/${newAddress(round, 1)}${path}`, body),
});

/** A request about the newest operation, which has all hosts in its plan. */
const ofOperation = (
  method: 'GET' | 'PUT',
  path: (fleet: Fleet) => string,
  body?: (fleet: Fleet) => unknown,
): WorstRequest => ({
  prepare: startOperation,
  shot: async fleet =>
    authorized(method, `/operation/${(await newestOperation(fleet))?.id}${path(fleet)}`, body?.(fleet)),
});

/** The dry run returns the plan of all hosts; the order names each of them. */
const operationOf = (kind: 'restart' | 'upgrade' | 'deploy', isDryRun: boolean): WorstRequest => ({
  prepare: endOperation,
  shot: ({ cluster, addresses }) =>
    authorized('PUT', `/cluster/${cluster}/${kind}`, {
      ...(kind === 'deploy' && { version: '1' }),
      policy: { dry_run: isDryRun, order: addresses.slice(0, NAMED_IN_POLICY) },
    }),
});

/** All members leave, or all join, in turn. */
const replaceAll: WorstRequest = {
  limitMs: REPLACEMENT_LIMIT_MS,
  shot: async ({ ask, cluster, addresses }) => {
    const old = (await ask(authorized('GET', `/cluster/${cluster}/hosts`))) as string[];
    return authorized('PUT', `/cluster/${cluster}/hosts`, { old, new: old.length === 0 ? addresses : [] });
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
  getLiveness: { shot: () => ({ method: 'GET', path: '/healthz' }) },
  getReadiness: { shot: () => ({ method: 'GET', path: '/readyz' }) },
  getOpenApi: { shot: () => ({ method: 'GET', path: '/openapi.json' }) },
  getDocs: { shot: () => ({ method: 'GET', path: '/docs' }) },
  getMetrics: { shot: () => ({ ...authorized('GET', ''), path: '/metrics' }) },

  listHosts: get('/hosts?extended=true'),
  getHost: ofHost('GET'),
  getHostStatus: ofHost('GET', '/status'),
  getHostChecks: ofHost('GET', '/checks'),
  getHostLabels: ofHost('GET', '/labels'),
  getHostMaintenance: ofHost('GET', '/maintenance'),
  getAnsibleInventory: get('/inventory/ansible'),
  getPrometheusTargets: get('/inventory/prometheus'),
  getOverview: get('/overview'),
  getHealthChecks: get('/health-checks'),
  listClusters: get('/cluster/'),
  getCluster: ofCluster('GET'),
  listMembers: ofCluster('GET', '/hosts'),
  getMember: {
    shot: ({ cluster, addresses }) => authorized('GET', `/cluster/${cluster}/hosts/${addresses[0]}`),
  },
  getClusterPolicy: ofCluster('GET', '/policy'),
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

  putHostLabels: ofHost('PUT', '/labels', labels),
  putHostMaintenance: ofHost('PUT', '/maintenance', { on: true, reason: 'x'.repeat(256) }),
  acceptHostKey: ofHost('PUT', '/accept-key', { fingerprint: `SHA256:${'x'.repeat(43)}` }),
  putNetwork: create('network', network),
  checkNetwork: existing('/network/bench', network, () => authorized('PUT', '/network/bench/check', {})),
  removeNetwork: existing('/network/bench', network, () => authorized('DELETE', '/network/bench')),
  putContainerManager: create('containermanager', manager),
  getContainerManager: existing('/containermanager/bench', manager, () =>
    authorized('GET', '/containermanager/bench'),
  ),
  checkContainerManager: existing('/containermanager/bench', manager, () =>
    authorized('PUT', '/containermanager/bench/check', {}),
  ),
  removeContainerManager: existing('/containermanager/bench', manager, () =>
    authorized('DELETE', '/containermanager/bench'),
  ),
  putWebhook: create('webhook', webhook),
  getWebhook: existing('/webhook/bench', webhook, () => authorized('GET', '/webhook/bench')),
  resumeWebhook: existing('/webhook/bench', webhook, () => authorized('PUT', '/webhook/bench/resume', {})),
  testWebhook: existing('/webhook/bench', webhook, () => authorized('PUT', '/webhook/bench/test', {})),
  removeWebhook: existing('/webhook/bench', webhook, () => authorized('DELETE', '/webhook/bench')),
  putAccount: create('user', account),
  changePassword: existing('/user/bench', account, () =>
    authorized('PUT', '/user/bench/password', { password: account.password }),
  ),
  removeSessions: existing('/user/bench', account, () => authorized('DELETE', '/user/bench/sessions')),
  removeAccount: existing('/user/bench', account, () => authorized('DELETE', '/user/bench')),
  createSession: { shot: () => authorized('PUT', '/session', {}) },
  // Without a session, nothing is confirmed: the hash is that of `createSession`.
  confirmSession: { shot: () => authorized('PUT', '/session/confirmation', { current_password: 'x' }) },
  removeSession: { shot: () => authorized('DELETE', '/session') },
  putToken: create('token', token),
  getToken: existing('/token/bench', token, () => authorized('GET', '/token/bench')),
  removeToken: existing('/token/bench', token, () => authorized('DELETE', '/token/bench')),
  createUserData: {
    shot: ({ cluster }) =>
      authorized('PUT', `/cluster/${cluster}/user-data`, {
        url: 'https://hostler.example',
        ca: CERTIFICATES,
      }),
  },
  putCluster: create('cluster', { network: 'default' }),
  putClusterPolicy: {
    shot: ({ cluster, addresses }) =>
      authorized('PUT', `/cluster/${cluster}/policy`, { order: addresses.slice(0, NAMED_IN_POLICY) }),
  },

  pauseAllOperations: { shot: () => authorized('PUT', '/pause', {}) },
  putRestart: operationOf('restart', false),
  putUpgrade: operationOf('upgrade', true),
  putDeploy: operationOf('deploy', true),
  getRestart: { prepare: startOperation, ...ofCluster('GET', '/restart') },
  getUpgrade: ofCluster('GET', '/upgrade'),
  getDeploy: ofCluster('GET', '/deploy'),
  listOperations: get('/operations?limit=1000'),
  getOperation: ofOperation('GET', () => ''),
  getOperationHost: ofOperation('GET', ({ addresses }) => `/hosts/${addresses[0]}`),
  pauseOperation: ofOperation(
    'PUT',
    () => '/pause',
    () => ({}),
  ),
  resumeOperation: ofOperation(
    'PUT',
    () => '/resume',
    () => ({}),
  ),
  retryHosts: ofOperation(
    'PUT',
    () => '/retry',
    ({ addresses }) => ({ hosts: addresses }),
  ),
  skipHosts: ofOperation(
    'PUT',
    () => '/skip',
    ({ addresses }) => ({ hosts: addresses }),
  ),
  cancelOperation: ofOperation(
    'PUT',
    () => '/cancel',
    () => ({}),
  ),
  resumeAllOperations: { prepare: endOperation, shot: () => authorized('PUT', '/resume', {}) },

  removeMember: {
    shot: ({ cluster, addresses }, round) =>
      authorized('DELETE', `/cluster/${cluster}/hosts/${addresses[round]}`),
  },
  addMember: {
    shot: ({ cluster, addresses }, round) =>
      authorized('PUT', `/cluster/${cluster}/hosts/${addresses[round]}`, {}),
  },
  replaceMembers: replaceAll,
  removeCluster: { prepare: joinAll, ...ofCluster('DELETE'), limitMs: REPLACEMENT_LIMIT_MS },
  listAudit: get('/audit?limit=1000'),
  streamEvents: { isStream: true, shot: () => authorized('GET', '/events?after=0&cluster=none') },

  bootstrapHost: ofHost('PUT', '/bootstrap', {}),
  removeHost: ofHost('DELETE'),
  putHost: {
    shot: (_fleet, round) => authorized('PUT', `/host/${newAddress(round, 1)}`, { ssh_priv_key: KEYS[0] }),
  },
  getHostAccess: ofNewHost('GET', '/access'),
  getHostCreds: ofNewHost('GET', '/creds'),
  putHostCreds: ofNewHost('PUT', '/creds', { ssh_priv_key: KEYS[0] }),
  enrolSelf: {
    shot: (_fleet, round) =>
      authorized('PUT', '/host', { address: newAddress(round, 2), ssh_priv_key: KEYS[0] }),
  },
  enrolHosts: {
    shot: (_fleet, round) =>
      authorized('PUT', '/hosts/bulk', {
        hosts: KEYS.map((ssh_priv_key, index) => ({ address: newAddress(round, 3 + index), ssh_priv_key })),
      }),
  },
};

/** Other expensive requests of these routes: refused after much work, or with a filter that matches nothing. */
export const MORE_REQUESTS: Readonly<Record<string, WorstRequest>> = {
  'audit log, nothing matches': get('/audit?cluster=none&limit=1000'),
  'unknown IPv6 members': {
    limitMs: REPLACEMENT_LIMIT_MS,
    shot: ({ cluster, addresses }) =>
      authorized('PUT', `/cluster/${cluster}/hosts`, {
        old: addresses,
        new: addresses.map((_, index) => `2001:db8::${index.toString(16)}`),
      }),
  },
  'members that are no addresses': {
    limitMs: REPLACEMENT_LIMIT_MS,
    shot: ({ cluster, addresses }) =>
      authorized('PUT', `/cluster/${cluster}/hosts`, { old: [], new: addresses.map(() => 'x') }),
  },
  'hosts without a key': {
    shot: ({ addresses }) =>
      authorized('PUT', '/hosts/bulk', {
        hosts: addresses.slice(0, BULK_HOSTS).map(address => ({ address, ssh_port: 'x' })),
      }),
  },
  'too many values': {
    shot: ({ cluster }) =>
      authorized('PUT', `/cluster/${cluster}/hosts`, { old: Array.from({ length: 340_000 }, () => 1) }),
  },
};
