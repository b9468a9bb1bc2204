import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Static } from 'typebox';
import type { OperationHostView } from '#contract/routes/operations.ts';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { AtMostEvery } from '../live/at-most-every.ts';
import { live } from '../live/live.ts';

/** However much a host says, it is read no more often. */
const AT_MOST_EVERY_MS = 500;

/** One host of an operation with all that its steps have said, read anew when it is somewhere else or has said more. */
export function useOperationHost(
  id: string,
  address: string,
): UseQueryResult<Static<typeof OperationHostView>> {
  const queryClient = useQueryClient();
  useEffect(() => {
    const queryKey = keys.operationHost(id, address);
    const reading = new AtMostEvery(AT_MOST_EVERY_MS, () => queryClient.invalidateQueries({ queryKey }));
    // It may have gone on since it was read and nobody looked.
    if (queryClient.getQueryData(queryKey) !== undefined) reading.soon();
    const leave = live.listen({
      onEvents: events => {
        if (events.some(({ operation, host }) => operation === id && host === address)) reading.soon();
      },
      onOutput: ({ operation, hosts }) => {
        if (operation === id && hosts.includes(address)) reading.soon();
      },
    });
    return () => {
      leave();
      reading.stop();
    };
  }, [id, address, queryClient]);
  return useQuery({
    queryKey: keys.operationHost(id, address),
    queryFn: ({ signal }) => answerOf(api.getOperationHost({ id, address, signal })),
  });
}
