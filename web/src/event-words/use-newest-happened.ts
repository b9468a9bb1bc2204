import { useMemo } from 'react';
import { useAtMostEvery } from '../ui/use-at-most-every.ts';
import type { Told } from './told-events.ts';
import { useToldEvents } from './use-told-events.ts';

/** However much happens, the list is drawn no more often. */
const AT_MOST_EVERY_MS = 250;

/** What happened last, newest first. */
export function useNewestHappened(most: number): {
  readonly newest: readonly Told[];
  readonly error: unknown;
} {
  const { data, error } = useToldEvents({});
  const newest = useMemo(() => data?.value.slice(0, most) ?? [], [data, most]);
  return { newest: useAtMostEvery(newest, AT_MOST_EVERY_MS), error };
}
