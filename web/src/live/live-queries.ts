import type { QueryClient, QueryKey, UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Positioned } from '../api/client.ts';
import type { Key } from '../api/query-keys.ts';
import { affectedQueryKeys } from './affected-query-keys.ts';
import type { LoggedEvent } from './live-events.ts';
import { liveEvents } from './live-events.ts';
import { applyNewerEvents } from './recent-events.ts';
import { Throttle } from './throttle.ts';

export interface LiveQuery<T> {
  readonly queryKey: QueryKey;
  readonly fetch: (signal: AbortSignal) => Promise<Positioned<T>>;
  /** A pure function. Returns the same object if nothing changes. */
  readonly applyEvents: (value: T, events: readonly LoggedEvent[]) => T;
}

/** Time for a server that lags behind the event stream to catch up. */
const CATCH_UP_DELAY_MS = 300;
const MAX_FETCHES = 5;

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function fetchUpToDate<T>({ fetch, applyEvents }: LiveQuery<T>, signal: AbortSignal): Promise<Positioned<T>> {
  for (let fetches = 1; ; fetches += 1) {
    const fetched = await fetch(signal);
    const newer = liveEvents.recent.after(fetched.position);
    if (newer !== undefined) return applyNewerEvents(fetched, newer, applyEvents);
    // Without the stream there are no newer events. All queries are refetched when the stream starts.
    if (liveEvents.state !== 'live' || fetches === MAX_FETCHES) return fetched;
    await sleep(CATCH_UP_DELAY_MS);
  }
}

/** Fetches once and then applies events after the position of the response, without gaps or duplicates. */
export function useLiveQuery<T>(query: LiveQuery<T>): UseQueryResult<Positioned<T>> {
  const { queryKey, applyEvents } = query;
  const queryClient = useQueryClient();
  const keyText = JSON.stringify(queryKey);
  useEffect(() => {
    const onEvents = (events: readonly LoggedEvent[]) =>
      queryClient.setQueryData<Positioned<T>>(
        queryKey,
        current => current && applyNewerEvents(current, events, applyEvents),
      );
    // Cached data of an unmounted page has missed events.
    const current = queryClient.getQueryData<Positioned<T>>(queryKey);
    const missed = current && liveEvents.recent.after(current.position);
    if (missed !== undefined) onEvents(missed);
    else if (current !== undefined) queryClient.invalidateQueries({ queryKey });
    return liveEvents.listen({ onEvents });
  }, [keyText, queryClient, applyEvents]);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchUpToDate(query, signal),
    structuralSharing: false,
  });
}

const MIN_REFETCH_INTERVAL_MS = 1000;

/** Refetches the queries that events have changed: immediately when events are rare, otherwise in batches. */
export function invalidateOnEvents(queryClient: QueryClient): void {
  const affected = new Map<string, Key>();
  const invalidation = new Throttle(MIN_REFETCH_INTERVAL_MS, () => {
    for (const queryKey of affected.values()) queryClient.invalidateQueries({ queryKey });
    affected.clear();
  });
  liveEvents.listen({
    onEvents: events => {
      for (const event of events) for (const key of affectedQueryKeys(event)) affected.set(JSON.stringify(key), key);
      invalidation.schedule();
    },
    onReset: () => queryClient.invalidateQueries(),
  });
}
