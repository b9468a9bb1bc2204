import type { RouteName } from '#contract/index.ts';
import { PATHS } from './paths.ts';

interface Place {
  readonly to: (typeof PATHS)[keyof typeof PATHS];
  readonly title: string;
  /** Whoever may not call it has nothing to see there. */
  readonly needs: RouteName;
}

/** Where one can go from everywhere. */
export const PLACES: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: 'Fleet',
    places: [
      { to: PATHS.overview, title: 'Overview', needs: 'listHosts' },
      { to: PATHS.hosts, title: 'Hosts', needs: 'listHosts' },
      { to: PATHS.clusters, title: 'Clusters', needs: 'listClusters' },
      { to: PATHS.operations, title: 'Operations', needs: 'listOperations' },
    ],
  },
  {
    title: 'Configuration',
    places: [
      { to: PATHS.networks, title: 'Networks', needs: 'listNetworks' },
      { to: PATHS.containerManagers, title: 'Container managers', needs: 'listContainerManagers' },
      { to: PATHS.tokens, title: 'Enrolment tokens', needs: 'listTokens' },
      { to: PATHS.webhooks, title: 'Webhooks', needs: 'listWebhooks' },
      { to: PATHS.accounts, title: 'Accounts', needs: 'listAccounts' },
    ],
  },
  {
    title: 'Activity',
    places: [
      { to: PATHS.events, title: 'Events', needs: 'listAudit' },
      { to: PATHS.audit, title: 'Audit log', needs: 'listAudit' },
    ],
  },
];
