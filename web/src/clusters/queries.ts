import { useQuery } from '@tanstack/react-query';
import { api, fetchBody } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

/** The ETag is sent when the settings are replaced, to detect concurrent changes. */
export const useCluster = (name: string) =>
  useQuery({
    queryKey: queryKeys.clusterRecord(name),
    queryFn: async () => {
      const { body, headers } = await api.getCluster({ name });
      return { cluster: body, etag: headers.get('etag') ?? '' };
    },
  });

/** Contains only the fields that are set. */
export const useClusterPolicy = (name: string) =>
  useQuery({
    queryKey: queryKeys.clusterPolicy(name),
    queryFn: () => fetchBody(api.getClusterPolicy({ name })),
  });

/** Returns an empty list until the names are loaded. */
export function useClusterNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: queryKeys.clusterNames,
    queryFn: ({ signal }) => fetchBody(api.listClusters({ signal })),
  });
  return data;
}

export const useOverview = () =>
  useQuery({ queryKey: queryKeys.overview, queryFn: () => fetchBody(api.getOverview()) });
