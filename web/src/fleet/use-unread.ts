import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Reading } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import type { Fleet, HostFacts } from './fleet.ts';
import { hostOf, rowOf, withRows } from './fleet.ts';
import { nextRead } from './next-read.ts';
import { readFacts } from './read-fleet.ts';

/** All hosts take a while; those of one cluster are fewer, and somebody has just let them join. */
const READ_ALL_EVERY_MS = 10_000;
const READ_CLUSTER_EVERY_MS = 3000;

type Learned = ReadonlyMap<string, HostFacts | undefined>;

/** `undefined`: the host is gone, or could not be read; what is known of it stays. */
function learn(queryClient: QueryClient, cluster: string | undefined, learned: Learned): void {
  queryClient.setQueryData<Reading<Fleet>>(keys.fleet(cluster), known => {
    if (known === undefined) return known;
    const changed = [...learned].flatMap(([address, facts]) => {
      const row = hostOf(known.value, address);
      return row && facts ? [[address, rowOf({ ...row, ...facts })] as const] : [];
    });
    const unread = known.value.unread.difference(learned);
    return { ...known, value: withRows(known.value, new Map(changed), unread) };
  });
}

/** Reads what no event tells: of a few hosts at a time, or all anew. */
export function useUnread(fleet: Fleet | undefined, cluster: string | undefined): void {
  const queryClient = useQueryClient();
  const isReading = useRef(false);
  const lastAllMs = useRef(Number.NEGATIVE_INFINITY);
  const { unread, places } = fleet ?? {};
  useEffect(() => {
    if (unread === undefined || places === undefined || unread.size === 0) return undefined;
    const next = nextRead({ unread, places });
    if (next === 'all') {
      const everyMs = cluster === undefined ? READ_ALL_EVERY_MS : READ_CLUSTER_EVERY_MS;
      const timer = setTimeout(
        () => {
          lastAllMs.current = performance.now();
          // One that is under way comes to its end, however much happens meanwhile.
          queryClient.invalidateQueries({ queryKey: keys.fleet(cluster) }, { cancelRefetch: false });
        },
        Math.max(0, lastAllMs.current + everyMs - performance.now()),
      );
      return () => clearTimeout(timer);
    }
    if (isReading.current) return undefined;
    isReading.current = true;
    Promise.all(
      next.map(async address => [address, await readFacts(address).catch(() => undefined)] as const),
    ).then(learned => {
      isReading.current = false;
      learn(queryClient, cluster, new Map(learned));
    });
    return undefined;
  }, [unread, places, cluster, queryClient]);
}
