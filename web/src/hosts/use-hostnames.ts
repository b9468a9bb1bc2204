import { useQuery } from '@tanstack/react-query';
import type { Hostnames } from '#sdk/hostnames.ts';
import { fetchHostnames } from '#sdk/hostnames.ts';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { hasSameHostnames, NO_HOSTNAMES } from './hostnames.ts';

/** For pages that show hosts of events and do not have the host records. Returns the same map until a name changes. */
export function useHostnames(): Hostnames {
  const { data } = useQuery({
    queryKey: queryKeys.hostnames,
    queryFn: ({ signal }) => fetchHostnames(api, { signal }),
    // Keeps the map, so that memoized rows do not render again.
    structuralSharing: (previous, current) =>
      hasSameHostnames((previous as Hostnames | undefined) ?? NO_HOSTNAMES, current as Hostnames)
        ? (previous ?? current)
        : current,
  });
  return data ?? NO_HOSTNAMES;
}
