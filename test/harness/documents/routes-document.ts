// The table of routes.

import { routes } from '../../../src/contract/index.ts';
import type { Route } from '../../../src/contract/route.ts';
import { code, table } from './markdown-table.ts';

function whoMay({ roles, alsoSelf }: Route): string {
  if (roles === 'anyone') return 'anyone, without credentials';
  return roles.map(code).join(', ') + (alsoSelf ? ', and every account for itself' : '');
}

export const routesTable = () =>
  table(
    ['method', 'path', 'who may call it'],
    Object.values<Route>(routes).map(route => [route.method, code(route.path), whoMay(route)]),
  );
