import type { RouteName } from '#contract/index.ts';

export const PATHS = {
  overview: '/',
  hosts: '/hosts',
  host: '/hosts/$address',
  clusters: '/clusters',
  cluster: '/clusters/$name',
  operations: '/operations',
  operation: '/operations/$id',
  networks: '/networks',
  containerManagers: '/container-managers',
  accounts: '/accounts',
  account: '/account',
  tokens: '/tokens',
  webhooks: '/webhooks',
  audit: '/audit',
  events: '/events',
} as const;

interface NavItem {
  readonly to: (typeof PATHS)[keyof typeof PATHS];
  readonly title: string;
  readonly requires: RouteName;
}

export const NAV_GROUPS: readonly { readonly title: string; readonly items: readonly NavItem[] }[] = [
  {
    title: 'Fleet',
    items: [
      { to: PATHS.overview, title: 'Overview', requires: 'listHosts' },
      { to: PATHS.hosts, title: 'Hosts', requires: 'listHosts' },
      { to: PATHS.clusters, title: 'Clusters', requires: 'listClusters' },
      { to: PATHS.operations, title: 'Operations', requires: 'listOperations' },
    ],
  },
  {
    title: 'Configuration',
    items: [
      { to: PATHS.networks, title: 'Networks', requires: 'listNetworks' },
      { to: PATHS.containerManagers, title: 'Container managers', requires: 'listContainerManagers' },
      { to: PATHS.tokens, title: 'Enrolment tokens', requires: 'listTokens' },
      { to: PATHS.webhooks, title: 'Webhooks', requires: 'listWebhooks' },
      { to: PATHS.accounts, title: 'Accounts', requires: 'listAccounts' },
    ],
  },
  {
    title: 'Activity',
    items: [
      { to: PATHS.events, title: 'Events', requires: 'listAudit' },
      { to: PATHS.audit, title: 'Audit log', requires: 'listAudit' },
    ],
  },
];
