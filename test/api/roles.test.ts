// Every route × every role × no credentials. A new route without an entry below fails.

import { beforeAll, expect, test } from 'vitest';
import type { RouteName } from '../../src/contract/index.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { ROLES } from '../../src/domain/vocabulary.ts';
import { describeServerOnSqlite } from '../harness/stores/describe-server.ts';

/** The routes that each role may call. Written out so that a wrong route definition fails the test. */
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
  'resolveName',
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

const ALLOWED: Readonly<Record<(typeof ROLES)[number] | 'anonymous', readonly RouteName[]>> = {
  admin: [...READS, ...WRITES, ...ADMIN_ONLY, ...PUBLIC],
  operator: [...READS, ...WRITES, ...PUBLIC],
  viewer: [...READS, ...PUBLIC],
  enrol: ['enrolSelf', ...PUBLIC],
  anonymous: PUBLIC,
};

const names = Object.keys(routes) as RouteName[];
const fillParameters = (path: string) =>
  path.replace('{name}', 'some-other-name').replace('{address}', '127.77.0.1').replace('{id}', 'no-operation');

test('the table contains every route', () => {
  expect([...ALLOWED.admin].sort()).toEqual([...names].sort());
});

describeServerOnSqlite('roles', service => {
  const credentials = new Map<string, string>();
  beforeAll(async () => {
    for (const role of ROLES) credentials.set(role, await service().makeAccount(`role-${role}`, role));
  });

  const allCases = [...ROLES, 'anonymous' as const].flatMap(role =>
    names.map(name => ({
      role,
      name,
      verb: ALLOWED[role].includes(name) ? 'may' : 'may not',
      isAllowed: ALLOWED[role].includes(name),
    })),
  );

  test.each(allCases)('$role $verb call $name', async ({ role, name, isAllowed }) => {
    const route: RouteDefinition = routes[name];
    const as = credentials.get(role) ?? null;
    // The body is invalid on purpose: an allowed role passes the role check and fails at the schema.
    const body = route.body ? { body: [] } : {};
    // Also invalid, because a stream would not end.
    const query = route.isStream ? '?after=x' : '';
    const needsQuery = (route.query?.required ?? []).length > 0;
    const allowedStatuses = route.body || route.isStream || needsQuery ? [400] : [200, 404];
    const expected = isAllowed ? allowedStatuses : [role === 'anonymous' ? 401 : 403];
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const target = fillParameters(path) + query;
      expect(expected).toContain((await service().request(route.method, target, { as, ...body })).status);
      if (route.method === 'GET') expect(expected).toContain((await service().request('HEAD', target, { as })).status);
    }
  });
});
