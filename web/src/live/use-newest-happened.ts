import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { live } from './live.ts';
import type { Dated } from './newest-happened.ts';
import { newestHappened } from './newest-happened.ts';

/** However much happens, the list is drawn no more often. */
const AT_MOST_EVERY_MS = 250;

/** What happened last, newest first: as it is told, and before that as the audit has it. */
export function useNewestHappened(most: number): {
  readonly newest: readonly Dated[];
  readonly error: unknown;
} {
  // Not among the keys that events change: what comes later is told.
  const { data = [], error } = useQuery({
    queryKey: keys.happenedBefore(most),
    queryFn: () => answerOf(api.listAudit({ query: { limit: most } })),
    staleTime: 0,
  });
  const [told, setTold] = useState<readonly Dated[]>(() => live.recent.newest(most));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      setTold(live.recent.newest(most));
    };
    const stop = live.listen({
      onEvents: () => {
        timer ??= setTimeout(refresh, AT_MOST_EVERY_MS);
      },
      onReset: refresh,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [most]);
  return { newest: newestHappened(told, data, most), error };
}
