// The operation is refetched when an event affects it. Its hosts are fetched once and then updated by events.

import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Static } from 'typebox';
import type { OperationReport } from '#contract/routes/operations.ts';
import type { HostsProgress } from '#sdk/operation-progress.ts';
import { applyEvents, createHostsProgress } from '#sdk/operation-progress.ts';
import { getClockOffsetMs } from '#sdk/response-headers.ts';
import { api } from '../../api/client.ts';
import { fetchAllPages } from '../../api/fetch-all-pages.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { LoggedEvent } from '../../live/live-events.ts';
import { useLiveQuery } from '../../live/live-queries.ts';
import { useThrottled } from '../../live/throttle.ts';

type Report = Static<typeof OperationReport>;

export interface OperationDetails extends Omit<Report, 'hosts'> {
  /** Offset of the server clock ahead of the browser clock. */
  readonly clockOffsetMs: number;
}

export const useOperation = (id: string) =>
  useQuery({
    queryKey: queryKeys.operationDetails(id),
    queryFn: async ({ signal }): Promise<OperationDetails> => {
      const { body, headers } = await api.getOperation({ id, query: { limit: 1 }, signal });
      const { hosts: _hosts, ...details } = body;
      return { ...details, clockOffsetMs: getClockOffsetMs(headers.get('date'), Date.now()) };
    },
  });

/** Rendering many hosts is expensive. A change is still visible within a second. */
const renderIntervalMs = (count: number) => (count > 5000 ? 300 : 100);

/** `hosts` is undefined until all hosts are loaded. */
export function useOperationHosts(id: string) {
  const [loadedCount, setLoadedCount] = useState(0);
  const applyOperationEvents = useCallback(
    (value: HostsProgress, events: readonly LoggedEvent[]) =>
      applyEvents(
        value,
        events.filter(({ operation }) => operation === id),
      ),
    [id],
  );
  const { data, error } = useLiveQuery({
    queryKey: queryKeys.operationHosts(id),
    applyEvents: applyOperationEvents,
    fetch: async signal => {
      const { value, position } = await fetchAllPages(
        query => api.getOperation({ id, query, signal }),
        ({ hosts }) => hosts,
        setLoadedCount,
      );
      return { value: createHostsProgress(value, position), position };
    },
  });
  const latest = data?.value.hosts;
  return { hosts: useThrottled(latest, renderIntervalMs(latest?.size ?? 0)), error, loadedCount };
}
