import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { HostStatusReport } from '#contract/routes/host-care.ts';
import type { Host } from '#contract/routes/hosts.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type HostRecord = Static<typeof Host>;
export type StatusReport = Static<typeof HostStatusReport>;
export type OwnStatus = StatusReport['host'];

/** Checks tell no event while nothing changes by them: what depends on them is read again whenever somebody looks. */
const WHEN_LOOKED_AT = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

export const useHost = (address: string) =>
  useQuery({
    queryKey: keys.hostRecord(address),
    queryFn: () => answerOf(api.getHost({ address })),
    ...WHEN_LOOKED_AT,
  });

export const useHostStatus = (address: string) =>
  useQuery({
    queryKey: keys.hostStatus(address),
    queryFn: () => answerOf(api.getHostStatus({ address })),
    ...WHEN_LOOKED_AT,
  });

export const useHostAccess = (address: string) =>
  useQuery({
    queryKey: keys.hostAccess(address),
    queryFn: () => answerOf(api.getHostAccess({ address })),
  });

export const useHostChecks = (address: string) =>
  useQuery({
    queryKey: keys.hostChecks(address),
    queryFn: () => answerOf(api.getHostChecks({ address })),
    ...WHEN_LOOKED_AT,
  });
