import { useState } from 'react';
import { keys } from '../api/keys.ts';
import { useFolded } from '../live/use-folded.ts';
import { useAtMostEvery } from '../ui/use-at-most-every.ts';
import type { Fleet } from './fleet.ts';
import { foldFleet } from './fold-fleet.ts';
import { readFleet } from './read-fleet.ts';
import { useUnread } from './use-unread.ts';

/** Nobody reads a table that changes more often, and 50,000 rows take their time. */
const SHOWN_EVERY_MS = 500;

/**
 * Hosts, live: those of a cluster, with an empty name those in none, or all. `read`: how many have been read so far, while that goes on.
 */
export function useFleet(cluster?: string) {
  const [read, setRead] = useState(0);
  const query = useFolded<Fleet>({
    queryKey: keys.fleet(cluster),
    read: signal => readFleet(cluster, signal, setRead),
    fold: foldFleet,
  });
  useUnread(query.data?.value, cluster);
  const fleet = useAtMostEvery(query.data?.value, SHOWN_EVERY_MS);
  return { fleet, read, problem: query.error ?? undefined };
}
