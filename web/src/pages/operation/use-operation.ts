// What is known of an operation: the whole, which is read anew when events say so, and its hosts, which are read once and then follow each
// event by themselves.

import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Static } from 'typebox';
import { clockAheadMs } from '#client/clock-ahead.ts';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import type { HostsProgress } from '#client/operation-progress.ts';
import { hostsProgress, withEvents } from '#client/operation-progress.ts';
import type { OperationReport } from '#contract/routes/operations.ts';
import type { Reading } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { readPages } from '../../api/read-pages.ts';
import type { LoggedEvent } from '../../live/live.ts';
import { useFolded } from '../../live/use-folded.ts';
import { useAtMostEvery } from '../../ui/use-at-most-every.ts';

type Report = Static<typeof OperationReport>;

export interface OperationWhole extends Omit<Report, 'hosts'> {
  /** How far the clock of the service is ahead of the one here. */
  readonly aheadMs: number;
}

async function readWhole(id: string, signal: AbortSignal): Promise<OperationWhole> {
  const { body, headers } = await api.getOperation({ id, query: { limit: 1 }, signal });
  const { hosts: _one, ...whole } = body;
  return { ...whole, aheadMs: clockAheadMs(headers.get('date'), Date.now()) };
}

export const useWhole = (id: string): UseQueryResult<OperationWhole> =>
  useQuery({ queryKey: keys.operationWhole(id), queryFn: ({ signal }) => readWhole(id, signal) });

async function readHosts(
  id: string,
  signal: AbortSignal,
  tellRead: (count: number) => void,
): Promise<Reading<HostsProgress>> {
  const { value, position } = await readPages(
    query => api.getOperation({ id, query, signal }),
    ({ hosts }) => hosts,
    tellRead,
  );
  return { value: hostsProgress(value, position), position };
}

/** To draw is dearer the more there are; a change is seen well within a second. */
const paceMs = (count: number) => (count > 5000 ? 300 : 100);

interface KnownHosts {
  /** `undefined`: not all of them are read. */
  readonly hosts: HostsInOrder | undefined;
  readonly error: unknown;
  /** How many of them are read so far. */
  readonly readCount: number;
}

export function useOperationHosts(id: string): KnownHosts {
  const [readCount, setReadCount] = useState(0);
  const fold = useCallback(
    (value: HostsProgress, events: readonly LoggedEvent[]) =>
      withEvents(
        value,
        events.filter(({ operation }) => operation === id),
      ),
    [id],
  );
  const queryKey = useMemo(() => keys.operationHosts(id), [id]);
  const { data, error } = useFolded({
    ...{ queryKey, fold },
    read: signal => readHosts(id, signal, setReadCount),
  });
  const newest = data?.value.hosts;
  return { hosts: useAtMostEvery(newest, paceMs(newest?.size ?? 0)), error, readCount };
}
