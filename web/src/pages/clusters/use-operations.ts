import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

/** More are read on their own page. */
const MOST = 100;

/** All that are not over. */
export const useRunning = () =>
  useQuery({
    queryKey: keys.runningOperations(),
    queryFn: () => answerOf(api.listOperations({ query: { status: 'in_process', limit: 1000 } })),
  });

/** The newest of all clusters, or of one. */
export const useNewest = (cluster?: string, limit = MOST) =>
  useQuery({
    queryKey: keys.newestOperations(cluster ?? '', limit),
    queryFn: () =>
      answerOf(api.listOperations({ query: { limit, ...(cluster !== undefined && { cluster }) } })),
  });
