import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isRetryable } from '#sdk/client.ts';
import { isUnauthenticated } from './client.ts';

const MAX_RETRY_DELAY_MS = 5000;

/** Called when the service knows us no more. */
export type OnSignedOut = () => void;

/**
 * What was read is kept fresh by events, so nothing grows old by itself. Where the service is away, what is there stays, and it is asked
 * again until it answers.
 */
export function createQueryClient(onSignedOut: OnSignedOut): QueryClient {
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
