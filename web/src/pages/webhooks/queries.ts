import { useQueries, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Webhook } from '#contract/routes/webhooks.ts';
import type { WithEtag } from '../../api/client.ts';
import { api, fetchBody, fetchWithEtag } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

export type WebhookWithEtag = WithEtag<Static<typeof Webhook>>;

export const fetchWebhook = (name: string): Promise<WebhookWithEtag> => fetchWithEtag(api.getWebhook({ name }));

/** No event reports delivery progress, so it is fetched when the page opens and on refresh. */
export function useWebhooks() {
  const { data: names, error: listError } = useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: () => fetchBody(api.listWebhooks()),
  });
  const webhookQueries = useQueries({
    queries: (names ?? []).map(name => ({
      queryKey: queryKeys.webhook(name),
      queryFn: () => fetchWebhook(name),
      staleTime: 0,
    })),
  });
  return {
    data: names && webhookQueries.flatMap(({ data }) => data ?? []),
    error: listError ?? webhookQueries.find(({ error }) => error !== null)?.error ?? null,
    isFetching: webhookQueries.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const query of webhookQueries) query.refetch();
    },
  };
}
