import { useQuery } from '@tanstack/react-query';
import type { OperationKind } from '#vocabulary';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';

/** As many as the service tells at once. */
const MOST_RUNNING = 1000;
/** More are read on their own page. */
const MOST_NEWEST = 100;

interface RunningFilter {
  readonly cluster?: string;
  readonly kind?: OperationKind;
}

/** Those that are not over; each change of a host of theirs has them read anew. */
export const useRunning = (filter: RunningFilter = {}) =>
  useQuery({
    queryKey: keys.runningOperations(filter),
    queryFn: ({ signal }) =>
      answerOf(
        api.listOperations({ query: { ...filter, status: 'in_process', limit: MOST_RUNNING }, signal }),
      ),
  });

/** The newest of all clusters, or of one. */
export const useNewest = (cluster?: string, limit = MOST_NEWEST) =>
  useQuery({
    queryKey: keys.newestOperations(cluster ?? '', limit),
    queryFn: ({ signal }) =>
      answerOf(api.listOperations({ query: { limit, ...(cluster !== undefined && { cluster }) }, signal })),
  });
