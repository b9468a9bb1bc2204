import { expect, it } from 'vitest';
import type { RouteName } from '#contract/index.ts';
import type { Role } from '#vocabulary';
import { may, whyNot } from './may.ts';

it.each<[Role, RouteName, string | undefined]>([
  ['admin', 'putAccount', undefined],
  ['operator', 'putCluster', undefined],
  ['viewer', 'listNetworks', undefined],
  ['enrol', 'getLiveness', undefined],
  ['viewer', 'putCluster', 'Requires the admin or operator role. Your role is viewer.'],
  ['operator', 'putAccount', 'Requires the admin role. Your role is operator.'],
])('%s and %s', (role, route, reason) => {
  expect([may(role, route), whyNot(role, route)]).toEqual([reason === undefined, reason]);
});
