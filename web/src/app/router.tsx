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
import { only, parseSearch, stringifySearch } from './search-of.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: PageFailed });
const within = { getParentRoute: () => root } as const;

const pages = [
  createRoute({
    ...within,
    path: '/',
    component: lazyPage(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...within,
    path: '/hosts',
    validateSearch: only(readHostsSearch),
    component: lazyPage(() => import('../pages/hosts/hosts-page.tsx'), 'HostsPage'),
  }),
  createRoute({
    ...within,
    path: '/hosts/$address',
    component: lazyPage(() => import('../pages/host/host-page.tsx'), 'HostPage'),
  }),
  createRoute({
    ...within,
    path: '/clusters',
    component: lazyPage(() => import('../pages/clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  createRoute({
    ...within,
    path: '/clusters/$name',
    component: lazyPage(() => import('../pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  }),
  createRoute({
    ...within,
    path: '/operations',
    validateSearch: only(readOperationsSearch),
    component: lazyPage(() => import('../pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  createRoute({
    ...within,
    path: '/operations/$id',
    validateSearch: only(readOperationSearch),
    component: lazyPage(() => import('../pages/operation/operation-page.tsx'), 'OperationPage'),
  }),
  createRoute({
    ...within,
    path: '/networks',
    validateSearch: only(readDriverRecordsSearch),
    component: lazyPage(() => import('../pages/driver-records/networks-page.tsx'), 'NetworksPage'),
  }),
  createRoute({
    ...within,
    path: '/container-managers',
    validateSearch: only(readDriverRecordsSearch),
    component: lazyPage(
      () => import('../pages/driver-records/container-managers-page.tsx'),
      'ContainerManagersPage',
    ),
  }),
  createRoute({
    ...within,
    path: '/accounts',
    component: lazyPage(() => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    ...within,
    path: '/account',
    component: lazyPage(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    ...within,
    path: '/tokens',
    component: lazyPage(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    ...within,
    path: '/webhooks',
    component: lazyPage(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...within,
    path: '/audit',
    validateSearch: only(readAuditSearch),
    component: lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...within,
    path: '/events',
    validateSearch: only(readEventsSearch),
    component: lazyPage(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
  }),
] as const;

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
  for (const page of pages) await router.loadRouteChunk(page);
};

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
