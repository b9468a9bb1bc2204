import type { QueryClient } from '@tanstack/react-query';
import type { Key } from '../api/keys.ts';
import { AtMostEvery } from './at-most-every.ts';
import { live } from './live.ts';
import { whatChanges } from './what-changes.ts';

/** However much happens, nothing is read more often. */
const AT_MOST_EVERY_MS = 1000;

/** Has everything read anew that an event has made untrue: at once when little happens, else together. */
export function keepFresh(queryClient: QueryClient): void {
  const changed = new Map<string, Key>();
  const refresh = new AtMostEvery(AT_MOST_EVERY_MS, () => {
    for (const queryKey of changed.values()) queryClient.invalidateQueries({ queryKey });
    changed.clear();
  });
  live.listen({
    onEvents: events => {
      for (const event of events) for (const key of whatChanges(event)) changed.set(JSON.stringify(key), key);
      refresh.soon();
    },
    onReset: () => queryClient.invalidateQueries(),
  });
}
