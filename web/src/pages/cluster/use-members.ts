import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { keys } from '../../api/keys.ts';
import { live } from '../../live/live.ts';
import { useFolded } from '../../live/use-folded.ts';
import { foldMembers, wantsReading } from './fold-members.ts';
import { readHosts } from './read-hosts.ts';

/** However many hosts join, the list is read no more often. */
const AT_MOST_EVERY_MS = 3000;

/** The members of a cluster, as they change. */
export function useMembers(name: string) {
  const queryClient = useQueryClient();
  const fold = useMemo(() => foldMembers(name), [name]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastMs = Number.NEGATIVE_INFINITY;
    const read = () => {
      timer = undefined;
      lastMs = performance.now();
      queryClient.invalidateQueries({ queryKey: keys.members(name) });
    };
    const stop = live.listen({
      onEvents: events => {
        if (timer !== undefined || !events.some(event => wantsReading(event, name))) return;
        timer = setTimeout(read, Math.max(0, lastMs + AT_MOST_EVERY_MS - performance.now()));
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [name, queryClient]);
  return useFolded({ queryKey: keys.members(name), read: signal => readHosts(name, signal), fold });
}
