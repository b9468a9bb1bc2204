import type { UseQueryOptions } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { Key } from './query-keys.ts';

/** A request that uses `signal` is cancelled when its last component unmounts. */
type Request<Body> = (context: { readonly signal: AbortSignal }) => Promise<{ readonly body: Body }>;

export const useApiQuery = <Body>(
  queryKey: Key,
  request: Request<Body>,
  options: Omit<UseQueryOptions<Body>, 'queryKey' | 'queryFn'> = {},
) => useQuery({ ...options, queryKey, queryFn: async context => (await request(context)).body });
