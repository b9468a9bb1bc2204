import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Static } from 'typebox';
import type { OperationHost } from '#contract/operations.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { live } from '../../live/live.ts';

/** However much a host says, it is read no more often. */
const AT_MOST_EVERY_MS = 500;

/** One host of an operation with all that its steps have said, read anew when it is somewhere else or has said more. */
export function useOperationHost(id: string, address: string): UseQueryResult<Static<typeof OperationHost>> {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastMs = Number.NEGATIVE_INFINITY;
    const read = () => {
      timer = undefined;
      lastMs = performance.now();
      queryClient.invalidateQueries({ queryKey: keys.operationHost(id, address) });
    };
    const readSoon = () => {
      timer ??= setTimeout(read, Math.max(0, lastMs + AT_MOST_EVERY_MS - performance.now()));
    };
    const leave = live.listen({
      onEvents: events => {
        if (events.some(({ operation, host }) => operation === id && host === address)) readSoon();
      },
      onOutput: ({ operation, hosts }) => {
        if (operation === id && hosts.includes(address)) readSoon();
      },
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, address, queryClient]);
  return useQuery({
    queryKey: keys.operationHost(id, address),
    queryFn: ({ signal }) => answerOf(api.getOperationHost({ id, address, signal })),
  });
}
