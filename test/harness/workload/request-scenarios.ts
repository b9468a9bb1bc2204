// Request scenarios. Each uses its own names and addresses and removes its records.

import { PRIVATE_KEY } from '../credentials.ts';
import type { ScenarioRequest } from './requests.ts';
import { ADMIN, abortedRequest, call, formatRequest, rawRequest } from './requests.ts';

const hostAddress = (index: number) =>
  `127.${1 + (Math.floor(index / 62_500) % 250)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
const ipv6Address = (index: number) => `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;

const key = { ssh_priv_key: PRIVATE_KEY };
const none = { type: 'none', options: {} };

function enrolHost(index: number): ScenarioRequest[] {
  const address = hostAddress(index);
  const from = hostAddress(index + 7);
  return [
    call('putHost', 201, { address, body: key, from }),
    call('putHost', 200, { address, body: key }),
    call('putHost', 409, { address, body: { ...key, remote_user: 'other' } }),
    call('getHost', 200, { address, from }),
    call('getHostStatus', 200, { address }),
    call('getHostAccess', 200, { address }),
    call('getHostCreds', 200, { address }),
    call('getHostChecks', 200, { address }),
    call('listHosts', 200, { query: `?limit=2&q=${address}` }),
    call('listHosts', 200, { query: `?limit=2&extended=true&q=${address}` }),
    call('enrolHosts', 200, { body: { hosts: [{ address, ...key }, { address: ipv6Address(index) }] } }),
    call('removeHost', 200, { address }),
    call('getHost', 404, { address }),
    call('enrolSelf', 201, { body: key, from: address }),
    call('removeHost', 200, { address }),
  ];
}

function manageHost(index: number): ScenarioRequest[] {
  const address = hostAddress(index);
  const fingerprint = `SHA256:${String(index).padEnd(43, 'x')}`;
  return [
    call('putHost', 201, { address, body: key }),
    call('putHostLabels', 200, { address, body: { rack: `r-${index}` } }),
    call('getHostLabels', 200, { address }),
    call('getAnsibleInventory', 200, { query: `?label=rack=r-${index}` }),
    call('getAnsibleInventory', 200, { query: `?host=${address}` }),
    call('getPrometheusTargets', 200, { query: `?label=rack=r-${index}&port=${1 + (index % 65_535)}` }),
    // A valid name would send requests to DNS servers.
    call('resolveName', 400, { query: `?name=-${index}` }),
    call('putHostMaintenance', 200, { address, body: { on: true, reason: `disk ${index}` } }),
    call('getHostMaintenance', 200, { address }),
    call('bootstrapHost', 200, { address }),
    call('acceptHostKey', 409, { address, body: { fingerprint } }),
    call('putHostCreds', 409, { address, body: key }),
    call('getHealthChecks', 200),
    call('getOverview', 200),
    call('getMetrics', 200),
    call('removeHost', 200, { address }),
  ];
}

function buildCluster(index: number): ScenarioRequest[] {
  const name = `c-${index}`;
  const address = hostAddress(index);
  const manager = { type: 'k3s', options: { server_url: 'https://127.0.0.1:6443', token: `token-${index}` } };
  return [
    call('putNetwork', 201, { name, body: none }),
    call('putNetwork', 409, { name, body: { type: 'flannel_kube', options: {} } }),
    call('getNetwork', 200, { name }),
    call('listNetworks', 200, { query: `?after=${name}` }),
    call('checkNetwork', 200, { name }),
    call('putContainerManager', 201, { name, body: manager }),
    call('getContainerManager', 200, { name }),
    call('listContainerManagers', 200),
    call('checkContainerManager', 200, { name }),
    call('listDrivers', 200),
    call('putCluster', 201, { name, body: { network: name, container_manager: name } }),
    call('putCluster', 412, { name, body: { network: name }, headers: `If-Match: "${name}"\r\n` }),
    call('getCluster', 200, { name }),
    call('listClusters', 200),
    call('putHost', 201, { address, body: { ...key, cluster: name } }),
    call('listMembers', 200, { name }),
    call('getMember', 200, { name, address }),
    call('replaceMembers', 409, { name, body: { old: [], new: [address] } }),
    call('addMember', 404, { name: `${name}-other`, address }),
    call('removeNetwork', 409, { name }),
    call('removeMember', 200, { name, address }),
    call('removeHost', 200, { address }),
    call('removeCluster', 200, { name }),
    call('removeContainerManager', 200, { name }),
    call('removeNetwork', 200, { name }),
  ];
}

/** Starts no operation, because its end is not predictable. */
function queryOperations(index: number): ScenarioRequest[] {
  const [name, id] = [`o-${index}`, `id-${index}`];
  const policy = { dry_run: true, max_unavailable: `${1 + (index % 100)}%`, check: ['true', name] };
  return [
    call('putCluster', 201, { name, body: { network: 'default' } }),
    call('putClusterPolicy', 200, { name, body: { canary: index % 1000 } }),
    call('getClusterPolicy', 200, { name }),
    call('putRestart', 200, { name, body: { policy }, headers: `Idempotency-Key: ${id}\r\n` }),
    call('putUpgrade', 200, { name, body: { policy } }),
    call('putDeploy', 200, { name, body: { policy, version: `4.${index}` } }),
    call('putRestart', 400, { name, body: { policy: { [name]: 1 } } }),
    ...(['getRestart', 'getUpgrade', 'getDeploy'] as const).map(route => call(route, 404, { name })),
    call('listOperations', 200, { query: `?cluster=${name}&limit=3` }),
    call('listOperations', 200, { query: `?host=${hostAddress(index)}` }),
    call('getOperation', 404, { id }),
    call('getOperationHost', 404, { id, address: hostAddress(index) }),
    ...(['pauseOperation', 'resumeOperation', 'cancelOperation'] as const).map(route => call(route, 404, { id })),
    call('retryHosts', 404, { id, body: { hosts: [hostAddress(index)] } }),
    call('skipHosts', 404, { id }),
    call('pauseAllOperations', 200),
    call('getGlobalPause', 200),
    call('resumeAllOperations', 200),
    call('removeCluster', 200, { name }),
  ];
}

function useAccount(index: number): ScenarioRequest[] {
  const name = `u-${index}`;
  const as = `${name}:later`;
  return [
    call('putAccount', 201, { name, body: { password: 'first', role: 'viewer' } }),
    call('getAccount', 200, { name }),
    call('listAccounts', 200),
    call('changePassword', 200, { name, body: { password: 'later' } }),
    call('getOwnAccount', 200, { as }),
    call('putNetwork', 403, { as, name, body: none }),
    call('createSession', 201, { as }),
    call('confirmSession', 400, { as, body: { current_password: 'not in a session' } }),
    call('removeSession', 200, { as }),
    call('removeSessions', 200, { name }),
    call('removeAccount', 200, { name }),
  ];
}

/** The secret of the token is unknown, so the enrolment uses an invalid one. */
function manageToken(index: number): ScenarioRequest[] {
  const name = `t-${index}`;
  const as = `token:hst_${String(index).padEnd(43, 'x')}`;
  return [
    call('putToken', 201, { name, body: { uses: 1 + index } }),
    call('putToken', 200, { name, body: { uses: 1 + index } }),
    call('putToken', 409, { name, body: { uses: 2 + index } }),
    call('putToken', 400, { name, body: { cidr: `127.0.0.1/${index % 31}` } }),
    call('getToken', 200, { name }),
    call('listTokens', 200, { query: `?after=${name}` }),
    call('getIdentity', 200),
    call('enrolSelf', 401, { as, body: { host_keys: [] }, from: ipv6Address(index) }),
    call('removeToken', 200, { name }),
    call('createUserData', 404, { name, body: { url: 'http://127.0.0.1' } }),
  ];
}

/**
 * The webhook selects an event that never occurs here. Only the test request is sent, and it is rejected
 * because the name resolves to a private address.
 */
function manageWebhook(index: number): ScenarioRequest[] {
  const name = `w-${index}`;
  const body = { url: `http://localhost/${name}`, secret: name, events: ['data_key.rotated'] };
  return [
    call('putWebhook', 201, { name, body }),
    call('putWebhook', 200, { name, body }),
    call('putWebhook', 409, { name, body: { ...body, secret: 'other' } }),
    call('putWebhook', 400, { name, body: { ...body, url: `ftp://localhost/${name}` } }),
    call('getWebhook', 200, { name }),
    call('listWebhooks', 200, { query: `?after=${name}` }),
    call('testWebhook', 200, { name }),
    call('resumeWebhook', 200, { name }),
    call('removeWebhook', 200, { name }),
  ];
}

/** Two guesses cost a hash each; the following ones are rate-limited. */
const guessPasswords = (index: number): ScenarioRequest[] =>
  [401, 401, 429, 429, 429, 429, 429, 429].map((status, guess) =>
    call('listHosts', status, { as: `unknown-${index}:${guess}`, from: ipv6Address(index) }),
  );

const callFromOtherNetworks = (index: number): ScenarioRequest[] => [
  call('getOwnAccount', 200, { from: ipv6Address(index) }),
  call('getOwnAccount', 200, { from: hostAddress(index) }),
  call('listAudit', 200, {
    query: `?limit=3&subject=c-${index}`,
    from: `${hostAddress(index)}, ${ipv6Address(index)}`,
  }),
];

const readEvents = (index: number): ScenarioRequest[] => [
  call('streamEvents', 200, { query: `?cluster=c-${index}` }),
  call('streamEvents', 200, { headers: 'Last-Event-ID: 0\r\n' }),
  call('streamEvents', 400, { query: `?after=x-${index}` }),
];

const callWithoutCredentials = (index: number): ScenarioRequest[] => [
  rawRequest(401, { method: 'GET', target: `/api/v0/host/${hostAddress(index)}` }),
  rawRequest(401, {
    method: 'PUT',
    target: `/api/v0/network/x-${index}`,
    headers: `Authorization: Basic ${index}\r\n`,
  }),
  rawRequest(401, {
    method: 'GET',
    target: '/api/v0/user',
    headers: `Hostler-Dashboard: 1\r\nCookie: hostler-session=hss_${String(index).padEnd(43, 'x')}\r\n`,
  }),
  rawRequest(401, {
    method: 'GET',
    target: `/nowhere/${index}`,
    headers: `Authorization: Bearer ${index}\r\n`,
  }),
];

const queryService = (index: number): ScenarioRequest[] => [
  call('getLiveness', 200, { query: `?${index}` }),
  call('getReadiness', 200),
  call('getOpenApi', 200),
  call('getDocs', 200),
];

const sendInvalidRequests = (index: number): ScenarioRequest[] => [
  rawRequest(404, { method: 'GET', target: `/api/v0/nothing/${index}`, as: ADMIN }),
  rawRequest(405, {
    method: 'POST',
    target: `/api/v0/cluster/x-${index}`,
    as: ADMIN,
    body: `{"x":${index}}`,
  }),
  rawRequest(400, { method: 'PUT', target: `/api/v0/network/x-${index}`, as: ADMIN, body: `{"x-${index}":` }),
  rawRequest(400, {
    method: 'PUT',
    target: `/api/v0/network/x-${index}`,
    as: ADMIN,
    body: `{"type":${index}}`,
  }),
  rawRequest(400, { method: 'GET', target: `/api/v0/cluster/x%20${index}`, as: ADMIN }),
  rawRequest(400, { method: 'GET', target: `/api/v0/host/x-${index}`, as: ADMIN }),
  rawRequest(400, { method: 'GET', target: `/api/v0/hosts?limit=x-${index}`, as: ADMIN }),
  rawRequest(415, {
    method: 'PUT',
    target: `/api/v0/network/x-${index}`,
    as: ADMIN,
    headers: `Content-Type: text/x-${index}\r\n`,
    body: 'x',
  }),
  { bytes: `x-${index}\r\n\r\n`, status: 400 },
  { bytes: `GET /x-${index} HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, status: 431 },
];

const abortRequests = (index: number): ScenarioRequest[] => [
  abortedRequest(formatRequest({ method: 'GET', target: `/openapi.json?${index}` })),
  abortedRequest(
    formatRequest({ method: 'PUT', target: `/api/v0/network/x-${index}`, as: ADMIN, body: '{' }).slice(0, -1),
  ),
  abortedRequest(`GET /x-${index} HTTP/1.1\r\nHost: `),
  abortedRequest(''),
];

/** Hashes and writes are expensive, so they are less frequent. */
const COMMON_SCENARIOS = [
  ...[enrolHost, sendInvalidRequests, callFromOtherNetworks, queryService, callWithoutCredentials, abortRequests],
  ...[
    sendInvalidRequests,
    callFromOtherNetworks,
    buildCluster,
    sendInvalidRequests,
    callWithoutCredentials,
    queryService,
  ],
  ...[manageHost, queryOperations, manageToken, manageWebhook, readEvents],
  ...[
    sendInvalidRequests,
    callFromOtherNetworks,
    sendInvalidRequests,
    callFromOtherNetworks,
    sendInvalidRequests,
    callWithoutCredentials,
  ],
];
const RARE_SCENARIOS = [guessPasswords, useAccount];
/** Number of scenarios. */
const RARE_INTERVAL = 85;

export function getScenario(index: number): readonly ScenarioRequest[] {
  const rare =
    index % RARE_INTERVAL === 0 ? RARE_SCENARIOS[(index / RARE_INTERVAL) % RARE_SCENARIOS.length] : undefined;
  const common = COMMON_SCENARIOS[index % COMMON_SCENARIOS.length];
  return (rare ?? common)?.(index) ?? [];
}
