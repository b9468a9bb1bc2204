/** The first path segment. The overview is at `/`. */
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
