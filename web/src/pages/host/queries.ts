import type { Static } from 'typebox';
import type { HostStatusReport } from '#contract/routes/host-management.ts';
import type { Host } from '#contract/routes/hosts.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';

export type HostRecord = Static<typeof Host>;
export type StatusReport = Static<typeof HostStatusReport>;
export type HostStatusInfo = StatusReport['host'];

/**
 * Health checks emit no event while the status stays the same, so these queries are refetched whenever the page is
 * viewed.
 */
const REFETCH_ON_VIEW = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

export const useHost = (address: string) =>
  useApiQuery(queryKeys.hostRecord(address), () => api.getHost({ address }), REFETCH_ON_VIEW);

export const useHostStatus = (address: string) =>
  useApiQuery(queryKeys.hostStatus(address), () => api.getHostStatus({ address }), REFETCH_ON_VIEW);

export const useHostAccess = (address: string) =>
  useApiQuery(queryKeys.hostAccess(address), () => api.getHostAccess({ address }));

export const useHostChecks = (address: string) =>
  useApiQuery(queryKeys.hostChecks(address), () => api.getHostChecks({ address }), REFETCH_ON_VIEW);
