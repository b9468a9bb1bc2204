import { useMemo } from 'react';
import type { ClusterStatus, HostStatus } from '#vocabulary';
import { CLUSTER_STATUSES, HOST_STATUSES } from '#vocabulary';
import { api, fetchPositioned } from '../api/client.ts';
import type { Key } from '../api/query-keys.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { LiveQuery } from './live-queries.ts';
import { useLiveQuery } from './live-queries.ts';
import type { HistorySubject, StatusHistory } from './status-history.ts';
import { applyHistoryEvents, MAX_CHANGES, toStatusHistory } from './status-history.ts';

const createHistoryQuery = <Status extends string>(
  queryKey: Key,
  subject: HistorySubject<Status>,
): LiveQuery<StatusHistory<Status>> => {
  const { kind, name, statuses } = subject;
  return {
    queryKey,
    fetch: async signal => {
      const query = { [kind]: name };
      const [changes, created] = await Promise.all([
        fetchPositioned(api.listAudit({ query: { ...query, type: `${kind}.status`, limit: MAX_CHANGES }, signal })),
        fetchPositioned(api.listAudit({ query: { ...query, type: `${kind}.created`, limit: 1 }, signal })),
      ]);
      return {
        value: toStatusHistory(statuses, changes.value, created.value[0]),
        position: Math.min(changes.position, created.position),
      };
    },
    applyEvents: (history, events) => applyHistoryEvents(subject, history, events),
  };
};

export function useHostHistory(name: string) {
  const query = useMemo(
    () =>
      createHistoryQuery<HostStatus>(queryKeys.hostHistory(name), {
        kind: 'host',
        name,
        statuses: HOST_STATUSES,
      }),
    [name],
  );
  return useLiveQuery(query);
}

export function useClusterHistory(name: string) {
  const query = useMemo(
    () =>
      createHistoryQuery<ClusterStatus>(queryKeys.clusterHistory(name), {
        kind: 'cluster',
        name,
        statuses: CLUSTER_STATUSES,
      }),
    [name],
  );
  return useLiveQuery(query);
}
