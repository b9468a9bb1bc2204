import { expect, test } from 'vitest';
import type { RouteName } from '#contract/index.ts';
import type { Role } from '#vocabulary';
import { canCall, getDeniedReason } from './permissions.ts';

test.each<[Role, RouteName, string | undefined]>([
  ['admin', 'putAccount', undefined],
  ['operator', 'putCluster', undefined],
  ['viewer', 'listNetworks', undefined],
  ['enrol', 'getLiveness', undefined],
  ['viewer', 'putCluster', 'Requires the admin or operator role. Your role is viewer.'],
  ['operator', 'putAccount', 'Requires the admin role. Your role is operator.'],
])('getDeniedReason returns $2 for the role %s on the route %s', (role, route, reason) => {
  expect([canCall(role, route), getDeniedReason(role, route)]).toEqual([reason === undefined, reason]);
});
