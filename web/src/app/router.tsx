import { createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router';
import { parseAuditSearch } from '../pages/audit/search.ts';
import { parseDriverRecordsSearch } from '../pages/driver-records/search.ts';
import { parseEventsSearch } from '../pages/events/search.ts';
import { parseHostsSearch } from '../pages/hosts/search.ts';
import { parseOperationSearch } from '../pages/operation/search.ts';
import { parseOperationsSearch } from '../pages/operations/search.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBox } from '../ui/callout.tsx';
import { EmptyState, Page } from '../ui/page.tsx';
import { AppShell } from './app-shell.tsx';
import { PATHS } from './navigation.ts';
import { lazyPage } from './page-loading.tsx';
import { parseSearch, strictSearch, stringifySearch } from './search-params.ts';

export const NotFound = () => (
  <Page title="Page not found">
    <EmptyState title="This address does not match any page">
      <p>
        Go to the <Link to="/">overview</Link> or <Link to="/hosts">browse all hosts</Link>.
      </p>
    </EmptyState>
  </Page>
);

export const PageError = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <Page title="Something went wrong" actions={<Button onClick={reset}>Try again</Button>}>
    <ErrorBox error={error} />
  </Page>
);

const root = createRootRoute({ component: AppShell, notFoundComponent: NotFound, errorComponent: PageError });
const underRoot = { getParentRoute: () => root } as const;

const pages = {
  overview: createRoute({
    ...underRoot,
    path: PATHS.overview,
    component: lazyPage(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  hosts: createRoute({
    ...underRoot,
    path: PATHS.hosts,
    validateSearch: strictSearch(parseHostsSearch),
    component: lazyPage(() => import('../pages/hosts/hosts-page.tsx'), 'HostsPage'),
  }),
  host: createRoute({
    ...underRoot,
    path: PATHS.host,
    component: lazyPage(() => import('../pages/host/host-page.tsx'), 'HostPage'),
  }),
  clusters: createRoute({
    ...underRoot,
    path: PATHS.clusters,
    component: lazyPage(() => import('../pages/clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  cluster: createRoute({
    ...underRoot,
    path: PATHS.cluster,
    component: lazyPage(() => import('../pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  }),
  operations: createRoute({
    ...underRoot,
    path: PATHS.operations,
    validateSearch: strictSearch(parseOperationsSearch),
    component: lazyPage(() => import('../pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  operation: createRoute({
    ...underRoot,
    path: PATHS.operation,
    validateSearch: strictSearch(parseOperationSearch),
    component: lazyPage(() => import('../pages/operation/operation-page.tsx'), 'OperationPage'),
  }),
  networks: createRoute({
    ...underRoot,
    path: PATHS.networks,
    validateSearch: strictSearch(parseDriverRecordsSearch),
    component: lazyPage(() => import('../pages/driver-records/driver-records-page.tsx'), 'NetworksPage'),
  }),
  containerManagers: createRoute({
    ...underRoot,
    path: PATHS.containerManagers,
    validateSearch: strictSearch(parseDriverRecordsSearch),
    component: lazyPage(() => import('../pages/driver-records/driver-records-page.tsx'), 'ContainerManagersPage'),
  }),
  accounts: createRoute({
    ...underRoot,
    path: PATHS.accounts,
    component: lazyPage(() => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  }),
  account: createRoute({
    ...underRoot,
    path: PATHS.account,
    component: lazyPage(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  }),
  tokens: createRoute({
    ...underRoot,
    path: PATHS.tokens,
    component: lazyPage(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  webhooks: createRoute({
    ...underRoot,
    path: PATHS.webhooks,
    component: lazyPage(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  audit: createRoute({
    ...underRoot,
    path: PATHS.audit,
    validateSearch: strictSearch(parseAuditSearch),
    component: lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  events: createRoute({
    ...underRoot,
    path: PATHS.events,
    validateSearch: strictSearch(parseEventsSearch),
    component: lazyPage(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
  }),
} satisfies Record<keyof typeof PATHS, unknown>;

export const createAppRouter = () =>
  createRouter({
    routeTree: root.addChildren(pages),
    ...{ parseSearch, stringifySearch },
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
  });

/** Preloads all pages so that navigation works while the server is unavailable. */
export const preloadPages = async (router: ReturnType<typeof createAppRouter>): Promise<void> => {
  for (const page of Object.values(pages)) await router.loadRouteChunk(page);
};

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
