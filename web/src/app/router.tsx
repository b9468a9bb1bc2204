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

const NotFound = () => (
  <Page title="Page not found">
    <EmptyState title="This address does not match any page">
      <p>
        Go to the <Link to="/">overview</Link> or <Link to="/hosts">browse all hosts</Link>.
      </p>
    </EmptyState>
  </Page>
);

const PageError = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <Page title="Something went wrong" actions={<Button onClick={reset}>Try again</Button>}>
    <ErrorBox error={error} />
  </Page>
);

const root = createRootRoute({ component: AppShell, notFoundComponent: NotFound, errorComponent: PageError });

const page = <const Path extends string, Name extends string>(path: Path, ...load: Parameters<typeof lazyPage<Name>>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyPage(...load) });

const searchPage = <const Path extends string, Search extends object, Name extends string>(
  path: Path,
  parse: (search: Record<string, unknown>) => Search,
  ...load: Parameters<typeof lazyPage<Name>>
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: strictSearch(parse),
    component: lazyPage(...load),
  });

const driverRecordsPages = () => import('../pages/driver-records/driver-records-page.tsx');

const pages = {
  overview: page(PATHS.overview, () => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  hosts: searchPage(PATHS.hosts, parseHostsSearch, () => import('../pages/hosts/hosts-page.tsx'), 'HostsPage'),
  host: page(PATHS.host, () => import('../pages/host/host-page.tsx'), 'HostPage'),
  clusters: page(PATHS.clusters, () => import('../pages/clusters/clusters-page.tsx'), 'ClustersPage'),
  cluster: page(PATHS.cluster, () => import('../pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  operations: searchPage(
    PATHS.operations,
    parseOperationsSearch,
    () => import('../pages/operations/operations-page.tsx'),
    'OperationsPage',
  ),
  operation: searchPage(
    PATHS.operation,
    parseOperationSearch,
    () => import('../pages/operation/operation-page.tsx'),
    'OperationPage',
  ),
  networks: searchPage(PATHS.networks, parseDriverRecordsSearch, driverRecordsPages, 'NetworksPage'),
  containerManagers: searchPage(
    PATHS.containerManagers,
    parseDriverRecordsSearch,
    driverRecordsPages,
    'ContainerManagersPage',
  ),
  accounts: page(PATHS.accounts, () => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  account: page(PATHS.account, () => import('../pages/account/account-page.tsx'), 'AccountPage'),
  tokens: page(PATHS.tokens, () => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
  webhooks: page(PATHS.webhooks, () => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  audit: searchPage(PATHS.audit, parseAuditSearch, () => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  events: searchPage(PATHS.events, parseEventsSearch, () => import('../pages/events/events-page.tsx'), 'EventsPage'),
} satisfies Record<keyof typeof PATHS, unknown>;

export const createAppRouter = () =>
  createRouter({
    routeTree: root.addChildren(pages),
    parseSearch,
    stringifySearch,
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
