import { useQueries, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Webhook } from '#contract/routes/webhooks.ts';
import type { Tagged } from '../../api/client.ts';
import { answerOf, api, readTagged } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type ReadWebhook = Tagged<Static<typeof Webhook>>;

export const readWebhook = (name: string): Promise<ReadWebhook> => readTagged(api.getWebhook({ name }));

/** All of them. How far they have come is told by no event: it is as it was when the page was opened, or somebody has looked again. */
export function useWebhooks() {
  const { data: names, error: problem } = useQuery({
    queryKey: keys.webhooks,
    queryFn: () => answerOf(api.listWebhooks()),
  });
  const read = useQueries({
    queries: (names ?? []).map(name => ({
      queryKey: keys.webhook(name),
      queryFn: () => readWebhook(name),
      staleTime: 0,
    })),
  });
  const isReading = read.some(({ isFetching }) => isFetching);
  return {
    data: names && read.flatMap(({ data }) => data ?? []),
    error: problem ?? read.find(({ error }) => error !== null)?.error ?? null,
    isReading,
    lookAgain: () => {
      for (const each of read) each.refetch();
    },
  };
}
