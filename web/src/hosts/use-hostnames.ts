import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Hostnames } from './hostnames.ts';
import { hasSameHostnames, NO_HOSTNAMES, toHostnames } from './hostnames.ts';

/** One page of the list. The other hosts of a larger fleet are shown by their addresses. */
const MAX_FETCHED_HOSTS = 5000;

async function fetchHostnames(signal: AbortSignal): Promise<Hostnames> {
  const { body } = await api.listHosts({ query: { extended: true, limit: MAX_FETCHED_HOSTS }, signal });
  return toHostnames(body);
}

/** For pages that show hosts of events and do not have the host records. Returns the same map until a name changes. */
export function useHostnames(): Hostnames {
  const { data } = useQuery({
    queryKey: queryKeys.hostnames,
    queryFn: ({ signal }) => fetchHostnames(signal),
    // Keeps the map, so that memoized rows do not render again.
    structuralSharing: (previous, current) =>
      hasSameHostnames((previous as Hostnames | undefined) ?? NO_HOSTNAMES, current as Hostnames)
        ? (previous ?? current)
        : current,
  });
  return data ?? NO_HOSTNAMES;
}
