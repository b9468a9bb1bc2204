import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isRetryable } from '#sdk/errors.ts';
import { isUnauthenticated } from './client.ts';

const MAX_RETRY_DELAY_MS = 5000;

/**
 * Events keep queries up to date, so queries never become stale by time. If the server is unavailable, cached data
 * stays and the queries are retried.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthenticated(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (_count, error) => isRetryable(error),
        retryDelay: count => Math.min(MAX_RETRY_DELAY_MS, 500 * 2 ** count),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
