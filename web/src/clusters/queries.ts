import { useQuery } from '@tanstack/react-query';
import { api, fetchBody } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

/** A cluster as it was read, with what says whether it is still the same when its settings are replaced. */
export const useCluster = (name: string) =>
  useQuery({
    queryKey: queryKeys.clusterRecord(name),
    queryFn: async () => {
      const { body, headers } = await api.getCluster({ name });
      return { cluster: body, etag: headers.get('etag') ?? '' };
    },
  });

/** Only what was set. */
export const useClusterPolicy = (name: string) =>
  useQuery({
    queryKey: queryKeys.clusterPolicy(name),
    queryFn: () => fetchBody(api.getClusterPolicy({ name })),
  });

/** The names of all clusters; none until they are read. */
export function useClusterNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: queryKeys.clusterNames,
    queryFn: ({ signal }) => fetchBody(api.listClusters({ signal })),
  });
  return data;
}

/** All there is, in numbers, and every cluster. */
export const useOverview = () =>
  useQuery({ queryKey: queryKeys.overview, queryFn: () => fetchBody(api.getOverview()) });
