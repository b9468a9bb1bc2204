import { useMemo } from 'react';
import { api, fetchPositioned } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { LiveQuery } from '../live/live-queries.ts';
import { useLiveQuery } from '../live/live-queries.ts';
import { useThrottled } from '../live/throttle.ts';
import type { EventFilter, ListedEvent } from './event-list.ts';
import { prependEvents } from './event-list.ts';

const AUDIT_LIMIT = 200;

/** Starts with the newest entries of the audit log and adds events from the stream, without gaps or duplicates. */
export function useEventList({ cluster, host }: EventFilter) {
  const query = useMemo<LiveQuery<readonly ListedEvent[]>>(() => {
    const filter = { ...(cluster !== undefined && { cluster }), ...(host !== undefined && { host }) };
    return {
      queryKey: queryKeys.events(filter),
      fetch: signal => fetchPositioned(api.listAudit({ query: { ...filter, limit: AUDIT_LIMIT }, signal })),
      applyEvents: (listed, events) => prependEvents(filter, listed, events),
    };
  }, [cluster, host]);
  return useLiveQuery(query);
}

const MIN_RENDER_INTERVAL_MS = 250;

/** Newest first. */
export function useLatestEvents(limit: number) {
  const { data, error } = useEventList({});
  const events = useMemo(() => data?.value.slice(0, limit) ?? [], [data, limit]);
  return { events: useThrottled(events, MIN_RENDER_INTERVAL_MS), error };
}
