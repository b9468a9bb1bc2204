import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { OperationSummary } from '#contract/operations.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { OperationsSearch } from './search.ts';

export type Operation = Static<typeof OperationSummary>;

const MOST_RUNNING = 1000;
const PER_READ = 50;

/** Those that run; each change of a host of theirs has them read anew. */
export function useRunning(search: OperationsSearch) {
  const { status, ...filter } = search;
  return useQuery({
    queryKey: keys.runningOperations(filter),
    queryFn: ({ signal }) =>
      answerOf(
        api.listOperations({ query: { ...filter, status: 'in_process', limit: MOST_RUNNING }, signal }),
      ),
    enabled: status === undefined || status === 'in_process',
  });
}

async function readEnded(search: OperationsSearch, after: string | undefined, signal: AbortSignal) {
  const query = { ...search, limit: PER_READ, ...(after !== undefined && { after }) };
  const { body, headers } = await api.listOperations({ query, signal });
  return { operations: body, next: headers.get('link') === null ? undefined : body.at(-1)?.id };
}

/** Those that are over, newest first, as far back as somebody has asked for. What happens to hosts changes none of them. */
export function useEnded(search: OperationsSearch) {
  return useInfiniteQuery({
    queryKey: keys.endedOperationsOf(search),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readEnded(search, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    enabled: search.status !== 'in_process',
    select: ({ pages }) =>
      pages.flatMap(({ operations }) => operations).filter(({ status }) => status !== 'in_process'),
  });
}
