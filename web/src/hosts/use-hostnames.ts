import type { QueryClient } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Positioned } from '../api/client.ts';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { HostTable } from './host-table.ts';
import type { Hostnames } from './hostnames.ts';
import { hasSameHostnames, NO_HOSTNAMES, toHostnames } from './hostnames.ts';

/** One page. In a larger fleet the other hosts have names after the user has opened the list of all hosts. */
const MAX_FETCHED_HOSTS = 5000;

async function fetchHostnames(queryClient: QueryClient, signal: AbortSignal): Promise<Hostnames> {
  const { body } = await api.listHosts({ query: { extended: true, limit: MAX_FETCHED_HOSTS }, signal });
  const cached = queryClient.getQueryData<Positioned<HostTable>>(queryKeys.hostTable())?.value.rows ?? [];
  return new Map([...toHostnames(cached), ...toHostnames(body)]);
}

/** For pages that show hosts of events and do not have the host records. Returns the same map until a name changes. */
export function useHostnames(): Hostnames {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKeys.hostnames,
    queryFn: ({ signal }) => fetchHostnames(queryClient, signal),
    // Keeps the map, so that memoized rows do not render again.
    structuralSharing: (previous, current) =>
      hasSameHostnames((previous as Hostnames | undefined) ?? NO_HOSTNAMES, current as Hostnames)
        ? (previous ?? current)
        : current,
  });
  return data ?? NO_HOSTNAMES;
}
