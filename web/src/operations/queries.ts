import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Static } from 'typebox';
import type { OperationHostView } from '#contract/routes/operations.ts';
import type { OperationKind } from '#vocabulary';
import { api, fetchBody } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { liveEvents } from '../live/live-events.ts';
import { Throttle } from '../live/throttle.ts';

/** As many as the service tells at once. */
const MAX_RUNNING = 1000;
/** More are read on their own page. */
const MAX_LATEST = 100;

interface RunningFilter {
  readonly cluster?: string;
  readonly kind?: OperationKind;
}

/** Those that are not over; each change of a host of theirs has them read anew. */
export const useRunningOperations = (filter: RunningFilter = {}) =>
  useQuery({
    queryKey: queryKeys.runningOperations(filter),
    queryFn: ({ signal }) =>
      fetchBody(
        api.listOperations({ query: { ...filter, status: 'in_process', limit: MAX_RUNNING }, signal }),
      ),
  });

/** The newest of all clusters, or of one. */
export const useLatestOperations = (cluster?: string, limit = MAX_LATEST) =>
  useQuery({
    queryKey: queryKeys.latestOperations(cluster ?? '', limit),
    queryFn: ({ signal }) =>
      fetchBody(api.listOperations({ query: { limit, ...(cluster !== undefined && { cluster }) }, signal })),
  });

/** However much a host says, it is read no more often. */
const MIN_REFETCH_INTERVAL_MS = 500;

/** One host of an operation with all that its steps have said, read anew when it is somewhere else or has said more. */
export function useOperationHost(
  id: string,
  address: string,
): UseQueryResult<Static<typeof OperationHostView>> {
  const queryClient = useQueryClient();
  useEffect(() => {
    const queryKey = queryKeys.operationHost(id, address);
    const refetch = new Throttle(MIN_REFETCH_INTERVAL_MS, () => queryClient.invalidateQueries({ queryKey }));
    // It may have gone on since it was read and nobody looked.
    if (queryClient.getQueryData(queryKey) !== undefined) refetch.schedule();
    const stopListening = liveEvents.listen({
      onEvents: events => {
        if (events.some(({ operation, host }) => operation === id && host === address)) refetch.schedule();
      },
      onOutput: ({ operation, hosts }) => {
        if (operation === id && hosts.includes(address)) refetch.schedule();
      },
    });
    return () => {
      stopListening();
      refetch.stop();
    };
  }, [id, address, queryClient]);
  return useQuery({
    queryKey: queryKeys.operationHost(id, address),
    queryFn: ({ signal }) => fetchBody(api.getOperationHost({ id, address, signal })),
  });
}
