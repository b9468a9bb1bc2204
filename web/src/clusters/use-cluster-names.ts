import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';

/** The names of all clusters; none until they are read. */
export function useClusterNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: keys.clusterNames,
    queryFn: ({ signal }) => answerOf(api.listClusters({ signal })),
  });
  return data;
}
