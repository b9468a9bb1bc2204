import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing } from '#client/is-passing.ts';
import { isUnknownCaller } from './is-unknown-caller.ts';

const LONGEST_PAUSE_MS = 5000;

/** Called when the service knows us no more. */
export type OnSignedOut = () => void;

/**
 * What was read is kept fresh by events, so nothing grows old by itself. Where the service is away, what is there stays, and it is asked
 * again until it answers.
 */
export function newQueryClient(onSignedOut: OnSignedOut): QueryClient {
  const onError = (error: unknown) => {
    if (isUnknownCaller(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (_count, error) => isPassing(error),
        retryDelay: count => Math.min(LONGEST_PAUSE_MS, 500 * 2 ** count),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
