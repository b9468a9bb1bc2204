import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { HostStatusReport } from '#contract/routes/host-management.ts';
import type { Host } from '#contract/routes/hosts.ts';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

export type HostRecord = Static<typeof Host>;
export type StatusReport = Static<typeof HostStatusReport>;
export type HostStatusInfo = StatusReport['host'];

/**
 * Health checks emit no event while the status stays the same, so these queries are refetched whenever the
 * page is viewed.
 */
const REFETCH_ON_VIEW = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

export const useHost = (address: string) =>
  useQuery({
    queryKey: queryKeys.hostRecord(address),
    queryFn: () => fetchBody(api.getHost({ address })),
    ...REFETCH_ON_VIEW,
  });

export const useHostStatus = (address: string) =>
  useQuery({
    queryKey: queryKeys.hostStatus(address),
    queryFn: () => fetchBody(api.getHostStatus({ address })),
    ...REFETCH_ON_VIEW,
  });

export const useHostAccess = (address: string) =>
  useQuery({
    queryKey: queryKeys.hostAccess(address),
    queryFn: () => fetchBody(api.getHostAccess({ address })),
  });

export const useHostChecks = (address: string) =>
  useQuery({
    queryKey: queryKeys.hostChecks(address),
    queryFn: () => fetchBody(api.getHostChecks({ address })),
    ...REFETCH_ON_VIEW,
  });
