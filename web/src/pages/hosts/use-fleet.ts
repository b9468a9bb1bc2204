import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Reading } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useFolded } from '../../live/use-folded.ts';
import { useAtMostEvery } from '../../ui/use-at-most-every.ts';
import type { Fleet, HostFacts } from './fleet.ts';
import { hostOf, rowOf, withRows } from './fleet.ts';
import { foldFleet } from './fold-fleet.ts';
import { readFacts, readFleet } from './read-fleet.ts';

const KEY = keys.fleet;
const AT_ONCE = 4;
/** Where more wait for it, all are read anew, which is quicker. */
const MOST_SINGLE = 200;
const READ_ALL_EVERY_MS = 10_000;
/** Nobody reads a table that changes more often, and 50,000 rows take their time. */
const SHOWN_EVERY_MS = 300;

/** `undefined`: the host is gone, or could not be read; what is known of it stays. */
function learn(queryClient: QueryClient, learned: ReadonlyMap<string, HostFacts | undefined>): void {
  queryClient.setQueryData<Reading<Fleet>>(KEY, known => {
    if (known === undefined) return known;
    const changed = [...learned].flatMap(([address, facts]) => {
      const row = hostOf(known.value, address);
      return row && facts ? [[address, rowOf({ ...row, ...facts })] as const] : [];
    });
    const unread = known.value.unread.difference(learned);
    return { ...known, value: withRows(known.value, new Map(changed), unread) };
  });
}

/** Reads the facts that no event tells, of a few hosts at a time. */
function useUnreadFacts(fleet: Fleet | undefined): void {
  const queryClient = useQueryClient();
  const isReading = useRef(false);
  const lastAllMs = useRef(0);
  const unread = fleet?.unread;
  useEffect(() => {
    if (unread === undefined || unread.size === 0) return undefined;
    if (unread.size > MOST_SINGLE) {
      const waitMs = Math.max(0, lastAllMs.current + READ_ALL_EVERY_MS - Date.now());
      const timer = setTimeout(() => {
        lastAllMs.current = Date.now();
        queryClient.invalidateQueries({ queryKey: KEY });
      }, waitMs);
      return () => clearTimeout(timer);
    }
    if (isReading.current) return undefined;
    isReading.current = true;
    const some = [...unread].slice(0, AT_ONCE);
    Promise.all(
      some.map(async address => [address, await readFacts(address).catch(() => undefined)] as const),
    ).then(learned => {
      isReading.current = false;
      learn(queryClient, new Map(learned));
    });
    return undefined;
  }, [unread, queryClient]);
}

/** All hosts, live. `read`: how many have been read so far, while that goes on. */
export function useFleet() {
  const [read, setRead] = useState(0);
  const query = useFolded<Fleet>({
    queryKey: KEY,
    read: signal => readFleet(signal, setRead),
    fold: foldFleet,
  });
  useUnreadFacts(query.data?.value);
  const fleet = useAtMostEvery(query.data?.value, SHOWN_EVERY_MS);
  return { fleet, read, problem: query.error ?? undefined, isReading: query.isFetching };
}
