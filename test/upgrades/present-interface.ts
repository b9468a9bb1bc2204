import { commissaireRoutes } from '../../src/contract/commissaire-routes.ts';
import { deprecatedThing } from '../../src/contract/deprecation.ts';
import { routes } from '../../src/contract/index.ts';
import type { Route } from '../../src/contract/route.ts';
import {
  CLUSTER_STATUSES,
  EVENT_TYPES,
  HOST_STATUSES,
  OPERATION_STATUSES,
  ROLES,
} from '../../src/domain/vocabulary.ts';
import { PROBLEMS } from '../../src/http/problems/problem-kinds.ts';
import { EXIT } from '../../src/program/exit-codes.ts';
import { RENAMED } from '../../src/server/configuration/renamed-settings.ts';
import { settingKeys } from '../../src/server/configuration/settings.ts';
import { CATALOGUE } from '../../src/server/metrics/catalogue.ts';
import { programs } from '../harness/documents/cli-document.ts';
import type { Interface } from './interface.ts';
import { interfaceOf } from './interface.ts';

const deprecations = (rows: readonly Route[]): Interface['deprecations'] =>
  Object.fromEntries(
    rows.flatMap(row =>
      (row.deprecations ?? []).map(each => {
        const { since, sunset } = each;
        return [deprecatedThing(row, each), { since, ...(sunset && { sunset }) }];
      }),
    ),
  );

export const presentInterface = (): Interface =>
  interfaceOf({
    rows: Object.values<Route>(routes),
    errors: PROBLEMS,
    eventTypes: EVENT_TYPES,
    settings: [...settingKeys, ...Object.keys(RENAMED)],
    programs,
    exitCodes: EXIT,
    metrics: Object.values(CATALOGUE).flat(),
    closed: {
      'statuses of hosts': HOST_STATUSES,
      'statuses of clusters': CLUSTER_STATUSES,
      'statuses of operations': OPERATION_STATUSES,
      roles: ROLES,
    },
    deprecations: deprecations(Object.values(commissaireRoutes)),
  });
