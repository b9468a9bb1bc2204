import type { LucideIcon } from 'lucide-react';
import {
  Activity,
  Box,
  KeyRound,
  Layers,
  LayoutDashboard,
  Network,
  RefreshCw,
  ScrollText,
  Server,
  Users,
  Webhook,
} from 'lucide-react';
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
  readonly icon: LucideIcon;
  readonly requires: RouteName;
}

export const NAV_GROUPS: readonly { readonly title: string; readonly items: readonly NavItem[] }[] = [
  {
    title: 'Fleet',
    items: [
      { to: PATHS.overview, title: 'Overview', icon: LayoutDashboard, requires: 'listHosts' },
      { to: PATHS.hosts, title: 'Hosts', icon: Server, requires: 'listHosts' },
      { to: PATHS.clusters, title: 'Clusters', icon: Layers, requires: 'listClusters' },
      { to: PATHS.operations, title: 'Operations', icon: RefreshCw, requires: 'listOperations' },
    ],
  },
  {
    title: 'Configuration',
    items: [
      { to: PATHS.networks, title: 'Networks', icon: Network, requires: 'listNetworks' },
      { to: PATHS.containerManagers, title: 'Container managers', icon: Box, requires: 'listContainerManagers' },
      { to: PATHS.tokens, title: 'Enrolment tokens', icon: KeyRound, requires: 'listTokens' },
      { to: PATHS.webhooks, title: 'Webhooks', icon: Webhook, requires: 'listWebhooks' },
      { to: PATHS.accounts, title: 'Accounts', icon: Users, requires: 'listAccounts' },
    ],
  },
  {
    title: 'Activity',
    items: [
      { to: PATHS.events, title: 'Events', icon: Activity, requires: 'listAudit' },
      { to: PATHS.audit, title: 'Audit log', icon: ScrollText, requires: 'listAudit' },
    ],
  },
];
