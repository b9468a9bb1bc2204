// Every page and its address. A page is loaded when somebody goes there, and the others after it.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../pages/audit/search.ts';
import { readDriverRecordsSearch } from '../pages/driver-records/search.ts';
import { readEventsSearch } from '../pages/events/search.ts';
import { readHostsSearch } from '../pages/hosts/search.ts';
import { readOperationSearch } from '../pages/operation/search.ts';
import { readOperationsSearch } from '../pages/operations/search.ts';
import { NotFound, PageFailed } from './fallbacks.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: PageFailed });
const within = { getParentRoute: () => root } as const;

const pages = [
  createRoute({
    ...within,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...within,
    path: '/hosts',
    validateSearch: readHostsSearch,
    component: lazyRouteComponent(() => import('../pages/hosts/hosts-page.tsx'), 'HostsPage'),
  }),
  createRoute({
    ...within,
    path: '/hosts/$address',
    component: lazyRouteComponent(() => import('../pages/host/host-page.tsx'), 'HostPage'),
  }),
  createRoute({
    ...within,
    path: '/clusters',
    component: lazyRouteComponent(() => import('../pages/clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  createRoute({
    ...within,
    path: '/clusters/$name',
    component: lazyRouteComponent(() => import('../pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  }),
  createRoute({
    ...within,
    path: '/operations',
    validateSearch: readOperationsSearch,
    component: lazyRouteComponent(() => import('../pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  createRoute({
    ...within,
    path: '/operations/$id',
    validateSearch: readOperationSearch,
    component: lazyRouteComponent(() => import('../pages/operation/operation-page.tsx'), 'OperationPage'),
  }),
  createRoute({
    ...within,
    path: '/networks',
    validateSearch: readDriverRecordsSearch,
    component: lazyRouteComponent(() => import('../pages/driver-records/networks-page.tsx'), 'NetworksPage'),
  }),
  createRoute({
    ...within,
    path: '/container-managers',
    validateSearch: readDriverRecordsSearch,
    component: lazyRouteComponent(
      () => import('../pages/driver-records/container-managers-page.tsx'),
      'ContainerManagersPage',
    ),
  }),
  createRoute({
    ...within,
    path: '/accounts',
    component: lazyRouteComponent(() => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    ...within,
    path: '/account',
    component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    ...within,
    path: '/tokens',
    component: lazyRouteComponent(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    ...within,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...within,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...within,
    path: '/events',
    validateSearch: readEventsSearch,
    component: lazyRouteComponent(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
  }),
] as const;

export const newRouter = () =>
  createRouter({
    routeTree: root.addChildren(pages),
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
