import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';

/** A cluster as it was read, with what says whether it is still the same when its settings are replaced. */
export const useCluster = (name: string) =>
  useQuery({
    queryKey: keys.clusterRecord(name),
    queryFn: async () => {
      const { body, headers } = await api.getCluster({ name });
      return { cluster: body, etag: headers.get('etag') ?? '' };
    },
  });

/** Only what was set. */
export const useClusterPolicy = (name: string) =>
  useQuery({
    queryKey: keys.clusterPolicy(name),
    queryFn: () => answerOf(api.getClusterPolicy({ name })),
  });
