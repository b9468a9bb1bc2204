import type { QueryKey, UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Reading } from '../api/client.ts';
import { foldedBy } from './folded-by.ts';
import type { LoggedEvent } from './live.ts';
import { live } from './live.ts';

export interface Folded<T> {
  readonly queryKey: QueryKey;
  /** Reads all of it. */
  readonly read: (signal: AbortSignal) => Promise<Reading<T>>;
  /** What becomes of it by events; pure. The same object where nothing does. */
  readonly fold: (value: T, events: readonly LoggedEvent[]) => T;
}

/** A server that lags behind the one whose events we read catches up so soon. */
const CATCH_UP_MS = 300;
const MOST_READS = 5;

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function readUpToNow<T>({ read, fold }: Folded<T>, signal: AbortSignal): Promise<Reading<T>> {
  for (let reads = 1; ; reads += 1) {
    const found = await read(signal);
    const later = live.recent.since(found.position);
    if (later !== undefined) return foldedBy(found, later, fold);
    // Without the stream there is nothing to add; it has everything read anew when it begins.
    if (live.state !== 'live' || reads === MOST_READS) return found;
    await pause(CATCH_UP_MS);
  }
}

/** Reads something large once, and follows it event by event from the position of the read on: no gap, nothing twice. */
export function useFolded<T>(folded: Folded<T>): UseQueryResult<Reading<T>> {
  const { queryKey, fold } = folded;
  const queryClient = useQueryClient();
  const keyText = JSON.stringify(queryKey);
  useEffect(() => {
    const follow = (events: readonly LoggedEvent[]) =>
      queryClient.setQueryData<Reading<T>>(queryKey, known => known && foldedBy(known, events, fold));
    // What was read for a page that was left has followed nothing since.
    const known = queryClient.getQueryData<Reading<T>>(queryKey);
    const missed = known && live.recent.since(known.position);
    if (missed !== undefined) follow(missed);
    else if (known !== undefined) queryClient.invalidateQueries({ queryKey });
    return live.listen({ onEvents: follow });
  }, [keyText, queryClient, fold]);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readUpToNow(folded, signal),
    structuralSharing: false,
  });
}
