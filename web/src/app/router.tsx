// Every page and its address. A page is loaded when somebody goes there, and the others after it.

import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { readAuditSearch } from '../pages/audit/search.ts';
import { readDriverRecordsSearch } from '../pages/driver-records/search.ts';
import { readEventsSearch } from '../pages/events/search.ts';
import { readHostsSearch } from '../pages/hosts/search.ts';
import { readOperationSearch } from '../pages/operation/search.ts';
import { readOperationsSearch } from '../pages/operations/search.ts';
import { NotFound, PageFailed } from './fallbacks.tsx';
import { lazyPage } from './lazy-page.tsx';
import { PATHS } from './paths.ts';
import { only, parseSearch, stringifySearch } from './search-of.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: PageFailed });
const within = { getParentRoute: () => root } as const;

const pages = {
  overview: createRoute({
    ...within,
    path: PATHS.overview,
    component: lazyPage(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  hosts: createRoute({
    ...within,
    path: PATHS.hosts,
    validateSearch: only(readHostsSearch),
    component: lazyPage(() => import('../pages/hosts/hosts-page.tsx'), 'HostsPage'),
  }),
  host: createRoute({
    ...within,
    path: PATHS.host,
    component: lazyPage(() => import('../pages/host/host-page.tsx'), 'HostPage'),
  }),
  clusters: createRoute({
    ...within,
    path: PATHS.clusters,
    component: lazyPage(() => import('../pages/clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  cluster: createRoute({
    ...within,
    path: PATHS.cluster,
    component: lazyPage(() => import('../pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  }),
  operations: createRoute({
    ...within,
    path: PATHS.operations,
    validateSearch: only(readOperationsSearch),
    component: lazyPage(() => import('../pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  operation: createRoute({
    ...within,
    path: PATHS.operation,
    validateSearch: only(readOperationSearch),
    component: lazyPage(() => import('../pages/operation/operation-page.tsx'), 'OperationPage'),
  }),
  networks: createRoute({
    ...within,
    path: PATHS.networks,
    validateSearch: only(readDriverRecordsSearch),
    component: lazyPage(() => import('../pages/driver-records/networks-page.tsx'), 'NetworksPage'),
  }),
  containerManagers: createRoute({
    ...within,
    path: PATHS.containerManagers,
    validateSearch: only(readDriverRecordsSearch),
    component: lazyPage(
      () => import('../pages/driver-records/container-managers-page.tsx'),
      'ContainerManagersPage',
    ),
  }),
  accounts: createRoute({
    ...within,
    path: PATHS.accounts,
    component: lazyPage(() => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  }),
  account: createRoute({
    ...within,
    path: PATHS.account,
    component: lazyPage(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  }),
  tokens: createRoute({
    ...within,
    path: PATHS.tokens,
    component: lazyPage(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  webhooks: createRoute({
    ...within,
    path: PATHS.webhooks,
    component: lazyPage(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  audit: createRoute({
    ...within,
    path: PATHS.audit,
    validateSearch: only(readAuditSearch),
    component: lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  events: createRoute({
    ...within,
    path: PATHS.events,
    validateSearch: only(readEventsSearch),
    component: lazyPage(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
  }),
} satisfies Record<keyof typeof PATHS, unknown>;

export const newRouter = () =>
  createRouter({
    routeTree: root.addChildren(pages),
    ...{ parseSearch, stringifySearch },
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailed,
  });

/** Loads all pages, so that people can go to any of them while the service is away. */
export const loadPages = async (router: ReturnType<typeof newRouter>): Promise<void> => {
  for (const page of Object.values(pages)) await router.loadRouteChunk(page);
};

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
