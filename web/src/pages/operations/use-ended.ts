import { useInfiniteQuery } from '@tanstack/react-query';
import { nextAfter } from '#client/next-page.ts';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { OperationsSearch } from './search.ts';

const PER_READ = 50;

async function readEnded(search: OperationsSearch, after: string | undefined, signal: AbortSignal) {
  const query = { ...search, limit: PER_READ, ...(after !== undefined && { after }) };
  const { body, headers } = await api.listOperations({ query, signal });
  return { operations: body, next: nextAfter(headers) };
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
