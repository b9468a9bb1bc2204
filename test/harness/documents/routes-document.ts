// The tables of routes, and of what is deprecated in them.

import type { Deprecation } from '../../../src/contract/deprecation.ts';
import { deprecatedThing, deprecationSentence, pathDeprecation } from '../../../src/contract/deprecation.ts';
import { routes } from '../../../src/contract/index.ts';
import type { Route } from '../../../src/contract/route.ts';
import { LEFT_OUT_NETWORK } from '../../../src/http/compat.ts';
import { code, table } from './markdown-table.ts';

function whoMay({ roles, alsoSelf }: Route): string {
  if (roles === 'anyone') return 'anyone, without credentials';
  return roles.map(code).join(', ') + (alsoSelf ? ', and every account for itself' : '');
}

function pathCell(route: Route): string {
  const deprecation = pathDeprecation(route, route.path);
  return code(route.path) + (deprecation ? ` ${deprecationSentence(deprecation)}` : '');
}

export const routesTable = () =>
  table(
    ['method', 'path', 'who may call it'],
    Object.values<Route>(routes).map(route => [route.method, pathCell(route), whoMay(route)]),
  );

/** With what a mode for old clients adds. */
const deprecations = (): readonly [Route, Deprecation][] => [
  ...Object.values<Route>(routes).flatMap(route =>
    (route.deprecations ?? []).map((each): [Route, Deprecation] => [route, each]),
  ),
  [routes.putCluster, LEFT_OUT_NETWORK],
];

export const deprecatedTable = () =>
  table(
    ['what', 'since', 'gone from', 'instead'],
    deprecations().map(([route, each]) => [
      deprecatedThing(route, each) +
        (each === LEFT_OUT_NETWORK ? ', which only the mode for clients of Commissaire allows' : ''),
      each.since,
      each.sunset ?? 'no day yet',
      each.instead,
    ]),
  );
