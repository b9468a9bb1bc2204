import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OperationKind } from '#vocabulary';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useApiQuery } from '../api/use-api-query.ts';
import { liveEvents } from '../live/live-events.ts';
import { Throttle } from '../live/throttle.ts';

/** Maximum page size of the server. */
const MAX_RUNNING = 1000;
/** The operations page lists the others. */
const MAX_LATEST = 100;

interface RunningFilter {
  readonly cluster?: string;
  readonly kind?: OperationKind;
}

/** Refetched on every state change of a host in a running operation. */
export const useRunningOperations = (filter: RunningFilter = {}) =>
  useApiQuery(queryKeys.runningOperations(filter), ({ signal }) =>
    api.listOperations({ query: { ...filter, status: 'in_process', limit: MAX_RUNNING }, signal }),
  );

export const useLatestOperations = (cluster?: string, limit = MAX_LATEST) =>
  useApiQuery(queryKeys.latestOperations(cluster ?? '', limit), ({ signal }) =>
    api.listOperations({ query: { limit, ...(cluster !== undefined && { cluster }) }, signal }),
  );

const MIN_REFETCH_INTERVAL_MS = 500;

/** An operation host with the output of its steps. Refetched when its state changes or it has new output. */
export function useOperationHost(id: string, address: string) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const queryKey = queryKeys.operationHost(id, address);
    const refetch = new Throttle(MIN_REFETCH_INTERVAL_MS, () => queryClient.invalidateQueries({ queryKey }));
    // Cached data can be outdated after the component was unmounted.
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
  return useApiQuery(queryKeys.operationHost(id, address), ({ signal }) =>
    api.getOperationHost({ id, address, signal }),
  );
}
