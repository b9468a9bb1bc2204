/** The first path segment of each dashboard page. The overview is at `/`. Each page defines the rest of its paths. */
export const DASHBOARD_PAGES = [
  'hosts',
  'clusters',
  'operations',
  'networks',
  'container-managers',
  'accounts',
  'tokens',
  'webhooks',
  'audit',
  'events',
  'account',
] as const;
