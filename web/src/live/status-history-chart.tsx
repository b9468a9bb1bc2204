import { useMemo } from 'react';
import type { AnyStatus } from '#sdk/status-severity.ts';
import { api, fetchPositioned } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { statusSpans } from '../ui/charts/status-spans.ts';
import { StatusTimeline } from '../ui/charts/status-timeline.tsx';
import { useServerNowMs } from '../ui/timestamp.tsx';
import type { LiveQuery } from './live-queries.ts';
import { useLiveQuery } from './live-queries.ts';
import type { HistorySubject, StatusHistory } from './status-history.ts';
import { applyHistoryEvents, MAX_CHANGES, toStatusHistory, visibleSinceMs } from './status-history.ts';

/** `statuses` must be a constant. */
export function useStatusHistory<Status extends string>({ kind, name, statuses }: HistorySubject<Status>) {
  const query = useMemo(
    (): LiveQuery<StatusHistory<Status>> => ({
      queryKey: kind === 'host' ? queryKeys.hostHistory(name) : queryKeys.clusterHistory(name),
      fetch: async signal => {
        const filter = { [kind]: name };
        const [changes, created] = await Promise.all([
          fetchPositioned(api.listAudit({ query: { ...filter, type: `${kind}.status`, limit: MAX_CHANGES }, signal })),
          fetchPositioned(api.listAudit({ query: { ...filter, type: `${kind}.created`, limit: 1 }, signal })),
        ]);
        return {
          value: toStatusHistory(statuses, changes.value, created.value[0]),
          position: Math.min(changes.position, created.position),
        };
      },
      applyEvents: (history, events) => applyHistoryEvents({ kind, name, statuses }, history, events),
    }),
    [kind, name, statuses],
  );
  return useLiveQuery(query);
}

const REDRAW_INTERVAL_MS = 5000;

interface StatusHistoryChartProps<Status extends AnyStatus> {
  readonly history: StatusHistory<Status>;
  readonly current: Status;
  readonly rangeMs: number;
  readonly label: string;
}

export function StatusHistoryChart<Status extends AnyStatus>(props: StatusHistoryChartProps<Status>) {
  const { history, current, rangeMs, label } = props;
  const nowMs = useServerNowMs(REDRAW_INTERVAL_MS);
  const sinceMs = visibleSinceMs(history, nowMs, rangeMs);
  const spans = statusSpans(history.changes, { current, sinceMs, nowMs });
  return <StatusTimeline spans={spans} fromMs={sinceMs} toMs={nowMs} label={label} />;
}
