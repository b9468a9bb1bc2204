import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useApiQuery } from '../api/use-api-query.ts';

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
  useApiQuery(queryKeys.clusterPolicy(name), () => api.getClusterPolicy({ name }));

export const useClusterNames = (): readonly string[] =>
  useApiQuery(queryKeys.clusterNames, ({ signal }) => api.listClusters({ signal })).data ?? [];

export const useOverview = () => useApiQuery(queryKeys.overview, () => api.getOverview());
