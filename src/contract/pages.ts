/** The first part of the path of each page of the dashboard; the overview is at `/` itself. Whatever stands below is the page's own. */
export const PAGES = [
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
