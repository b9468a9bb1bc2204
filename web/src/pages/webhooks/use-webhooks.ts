import { useQueries, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Webhook } from '#contract/webhooks.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

/** A webhook as it was read, and what says so when it is changed. */
export interface ReadWebhook extends Static<typeof Webhook> {
  readonly etag: string;
}

async function readWebhook(name: string): Promise<ReadWebhook> {
  const { body, headers } = await api.getWebhook({ name });
  return { ...body, etag: headers.get('etag') ?? '' };
}

/** All of them. How far they have come is told by no event: it is as it was when the page was opened, or somebody has looked again. */
export function useWebhooks() {
  const { data: names, error } = useQuery({
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
    webhooks: names && read.flatMap(({ data }) => data ?? []),
    isReading,
    problem: error ?? read.find(each => each.error !== null)?.error ?? undefined,
    lookAgain: () => {
      for (const each of read) each.refetch();
    },
  };
}
