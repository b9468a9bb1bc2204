// The tables of routes, and of what is deprecated in them.

import { commissaireRoutes } from '../../../src/contract/commissaire-routes.ts';
import type { Deprecation } from '../../../src/contract/deprecation.ts';
import { deprecatedThing, deprecationSentence, pathDeprecation } from '../../../src/contract/deprecation.ts';
import { routes } from '../../../src/contract/index.ts';
import type { Route } from '../../../src/contract/route.ts';
import { code, table } from './markdown-table.ts';

function whoMay({ roles, alsoSelf }: Route): string {
  if (roles === 'anyone') return 'anyone, without credentials';
  return roles.map(code).join(', ') + (alsoSelf ? ', and every account for itself' : '');
}

function pathCell(route: Route): string {
  const deprecation = pathDeprecation(route, route.path);
  if (deprecation) return `${code(route.path)} ${deprecationSentence(deprecation)}`;
  const hasDeprecatedPart = deprecations().some(
    ([{ method, path }]) => method === route.method && path === route.path,
  );
  return (
    code(route.path) +
    (hasDeprecatedPart ? ' Some of it is [deprecated](versioning.md#current-deprecations).' : '')
  );
}

export const routesTable = () =>
  table(
    ['method', 'path', 'who may call it'],
    Object.values<Route>(routes).map(route => [route.method, pathCell(route), whoMay(route)]),
  );

/** With what the mode for clients of Commissaire adds. */
const deprecations = (): readonly [Route, Deprecation][] =>
  Object.values(commissaireRoutes).flatMap(route =>
    (route.deprecations ?? []).map((each): [Route, Deprecation] => [route, each]),
  );

const isOfEveryMode = (deprecation: Deprecation) =>
  Object.values<Route>(routes).some(route => route.deprecations?.includes(deprecation));

export const deprecatedTable = () =>
  table(
    ['subject', 'deprecated since', 'removed on', 'instead'],
    deprecations().map(([route, each]) => [
      deprecatedThing(route, each) +
        (isOfEveryMode(each) ? '' : ', which only the mode for clients of Commissaire allows'),
      each.since,
      each.sunset ?? 'not scheduled',
      each.instead,
    ]),
  );
