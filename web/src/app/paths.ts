/** The address of each page, as the router has it. */
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
