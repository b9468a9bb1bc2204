import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Positioned } from '../api/client.ts';
import { api, fetchBody } from '../api/client.ts';
import { fetchAllPages } from '../api/fetch-all-pages.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useLiveQuery } from '../live/live-queries.ts';
import { useThrottled } from '../live/throttle.ts';
import { applyHostEvents } from './apply-host-events.ts';
import type { HostDetails, HostTable } from './host-table.ts';
import { createHostTable, createRow, findHost, nextDetailsRequest, toHostRow, updateRows } from './host-table.ts';

async function fetchHostDetails(address: string): Promise<HostDetails> {
  const [{ os, cpus, memory }, { host }] = await Promise.all([
    fetchBody(api.getHost({ address })),
    fetchBody(api.getHostStatus({ address })),
  ]);
  return { os, cpus, memory, hostname: host.hostname ?? '' };
}

/** A fetch of all hosts is slow. A cluster is smaller, and its table changes right after a user adds hosts. */
const ALL_HOSTS_INTERVAL_MS = 10_000;
const CLUSTER_INTERVAL_MS = 3000;

/** Undefined means that the host is gone or the fetch failed. The row then stays unchanged. */
function applyDetails(
  queryClient: QueryClient,
  cluster: string | undefined,
  fetched: ReadonlyMap<string, HostDetails | undefined>,
): void {
  queryClient.setQueryData<Positioned<HostTable>>(queryKeys.hostTable(cluster), current => {
    if (current === undefined) return current;
    const changed = [...fetched].flatMap(([address, details]) => {
      const row = findHost(current.value, address);
      return row && details ? [[address, createRow({ ...row, ...details })] as const] : [];
    });
    const missingDetails = current.value.missingDetails.difference(fetched);
    return { ...current, value: updateRows(current.value, new Map(changed), missingDetails) };
  });
}

/** Fetches the fields that no event contains, for a few hosts at a time or for the whole list. */
function useMissingDetails(table: HostTable | undefined, cluster: string | undefined): void {
  const queryClient = useQueryClient();
  const isFetching = useRef(false);
  const lastAllMs = useRef(Number.NEGATIVE_INFINITY);
  const { missingDetails, indexByAddress } = table ?? {};
  useEffect(() => {
    if (missingDetails === undefined || indexByAddress === undefined || missingDetails.size === 0) return undefined;
    const next = nextDetailsRequest({ missingDetails, indexByAddress });
    if (next === 'all') {
      const intervalMs = cluster === undefined ? ALL_HOSTS_INTERVAL_MS : CLUSTER_INTERVAL_MS;
      const timer = setTimeout(
        () => {
          lastAllMs.current = performance.now();
          // Lets an active fetch complete, otherwise frequent events would cancel it forever.
          queryClient.invalidateQueries({ queryKey: queryKeys.hostTable(cluster) }, { cancelRefetch: false });
        },
        Math.max(0, lastAllMs.current + intervalMs - performance.now()),
      );
      return () => clearTimeout(timer);
    }
    if (isFetching.current) return undefined;
    isFetching.current = true;
    Promise.all(
      next.map(async address => [address, await fetchHostDetails(address).catch(() => undefined)] as const),
    ).then(fetched => {
      isFetching.current = false;
      applyDetails(queryClient, cluster, new Map(fetched));
    });
    return undefined;
  }, [missingDetails, indexByAddress, cluster, queryClient]);
}

/** Rendering 50,000 rows is expensive. */
const RENDER_INTERVAL_MS = 500;

/**
 * Returns the hosts of a cluster (an empty name: hosts in no cluster) or all hosts, updated by events. `loadedCount` is
 * the number of hosts loaded so far.
 */
export function useHosts(cluster?: string) {
  const [loadedCount, setLoadedCount] = useState(0);
  const query = useLiveQuery<HostTable>({
    queryKey: queryKeys.hostTable(cluster),
    fetch: async signal => {
      const filter = { extended: true, ...(cluster !== undefined && { cluster }) };
      const { value, position } = await fetchAllPages(
        paging => api.listHosts({ query: { ...filter, ...paging }, signal }),
        hosts => hosts.map(toHostRow),
        setLoadedCount,
      );
      return { value: createHostTable(value, cluster), position };
    },
    applyEvents: applyHostEvents,
  });
  useMissingDetails(query.data?.value, cluster);
  const table = useThrottled(query.data?.value, RENDER_INTERVAL_MS);
  return { table, loadedCount, error: query.error ?? undefined };
}
