// Every route × every role × no credentials, made from the contract's rows: a new route is in it the moment it has a row.

import { beforeAll, expect, test } from 'vitest';
import type { RouteName } from '../../src/contract/index.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { ROLES } from '../../src/domain/vocabulary.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

/** What each role may call, written out: the rows are held against it, so that a wrong row is noticed. */
const READS: readonly RouteName[] = [
  'listClusters',
  'getCluster',
  'listMembers',
  'getMember',
  'getClusterPolicy',
  'getDeploy',
  'getUpgrade',
  'getRestart',
  'listOperations',
  'getOperation',
  'getOperationHost',
  'getGlobalPause',
  'listNetworks',
  'getNetwork',
  'listContainerManagers',
  'getContainerManager',
  'listHosts',
  'getHost',
  'getHostAccess',
  'getHostStatus',
  'getHostChecks',
  'getHostLabels',
  'getHostMaintenance',
  'getAnsibleInventory',
  'getPrometheusTargets',
  'getOverview',
  'getHealthChecks',
  'listDrivers',
  'getOwnAccount',
  'createSession',
  'confirmSession',
  'removeSession',
  'getIdentity',
  'listAudit',
  'streamEvents',
  'getMetrics',
];
const WRITES: readonly RouteName[] = [
  'putCluster',
  'removeCluster',
  'replaceMembers',
  'addMember',
  'removeMember',
  'putClusterPolicy',
  'putDeploy',
  'putUpgrade',
  'putRestart',
  'pauseOperation',
  'resumeOperation',
  'cancelOperation',
  'retryHosts',
  'skipHosts',
  'putNetwork',
  'removeNetwork',
  'checkNetwork',
  'putContainerManager',
  'removeContainerManager',
  'checkContainerManager',
  'putHost',
  'enrolSelf',
  'enrolHosts',
  'removeHost',
  'acceptHostKey',
  'bootstrapHost',
  'putHostLabels',
  'putHostMaintenance',
];
const ADMIN_ONLY: readonly RouteName[] = [
  'pauseAllOperations',
  'resumeAllOperations',
  'getHostCreds',
  'putHostCreds',
  'listAccounts',
  'getAccount',
  'putAccount',
  'changePassword',
  'removeAccount',
  'removeSessions',
  'listTokens',
  'getToken',
  'putToken',
  'removeToken',
  'createUserData',
  'listWebhooks',
  'getWebhook',
  'putWebhook',
  'removeWebhook',
  'resumeWebhook',
  'testWebhook',
];
const PUBLIC: readonly RouteName[] = ['getLiveness', 'getReadiness', 'getOpenApi', 'getDocs'];

const ALLOWED: Readonly<Record<(typeof ROLES)[number] | 'nobody', readonly RouteName[]>> = {
  admin: [...READS, ...WRITES, ...ADMIN_ONLY, ...PUBLIC],
  operator: [...READS, ...WRITES, ...PUBLIC],
  viewer: [...READS, ...PUBLIC],
  enrol: ['enrolSelf', ...PUBLIC],
  nobody: PUBLIC,
};

const names = Object.keys(routes) as RouteName[];
const fill = (path: string) =>
  path
    .replace('{name}', 'some-other-name')
    .replace('{address}', '127.77.0.1')
    .replace('{id}', 'no-operation');

test('every route of the contract is in the table above', () => {
  expect([...ALLOWED.admin].sort()).toEqual([...names].sort());
});

onEachStore('the table of roles', service => {
  const credentials = new Map<string, string>();
  beforeAll(async () => {
    for (const role of ROLES) credentials.set(role, await service().makeAccount(`role-${role}`, role));
  });

  const allCases = [...ROLES, 'nobody' as const].flatMap(role =>
    names.map(name => ({
      role,
      name,
      verb: ALLOWED[role].includes(name) ? 'may' : 'may not',
      isAllowed: ALLOWED[role].includes(name),
    })),
  );

  test.each(allCases)('$role $verb call $name', async ({ role, name, isAllowed }) => {
    const row: RouteDefinition = routes[name];
    const as = credentials.get(role) ?? null;
    // The body is wrong on purpose: whoever is allowed gets past the role, and no further than the syntax.
    const body = row.body ? { body: [] } : {};
    // So is the query for a stream, which would not end.
    const query = row.isStream ? '?after=x' : '';
    const beyond = row.body || row.isStream ? [400] : [200, 404];
    const expected = isAllowed ? beyond : [role === 'nobody' ? 401 : 403];
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const target = fill(path) + query;
      expect(expected).toContain((await service().request(row.method, target, { as, ...body })).status);
      if (row.method === 'GET')
        expect(expected).toContain((await service().request('HEAD', target, { as })).status);
    }
  });
});
