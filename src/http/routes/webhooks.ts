import type { App } from '../../app/index.ts';
import type { WebhookDetails } from '../../app/webhooks.ts';
import type { Webhook, webhookRoutes } from '../../contract/routes/webhooks.ts';
import { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { webhookState } from '../../domain/webhooks/webhook.ts';
import { respond, respondPut } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { etagHeader } from '../requests/request-headers.ts';
import { respondPage } from '../responses/pagination.ts';
import { viewCheck } from './driver-records.ts';

function viewWebhook({ webhook, url, pending }: WebhookDetails): View<typeof Webhook> {
  const { name, events, createdAt, progress } = webhook;
  const state = webhookState(progress);
  return {
    name,
    url,
    events,
    state,
    position: progress.position,
    pending,
    attempts: progress.attempts,
    next_attempt_at: state === 'failing' ? formatTimestamp(progress.dueAtMs) : null,
    failing_since: progress.failingSinceMs === null ? null : formatTimestamp(progress.failingSinceMs),
    problem: progress.problem,
    delivered_id: progress.deliveredId,
    delivered_at: progress.deliveredAt,
    disabled_at: progress.disabledAt,
    created_at: createdAt,
  };
}

const ALL_EVENTS = ['*'];

const options = { headers: ({ webhook }: WebhookDetails) => etagHeader(webhook) };

export const webhookHandlers = ({ webhooks }: App): HandlersFor<typeof webhookRoutes> => ({
  listWebhooks: context => respondPage(context, webhooks.list),

  getWebhook: async ({ params }) => respond(await webhooks.get(params.name), viewWebhook, options),

  putWebhook: async ({ actor, params: { name }, body, ifMatch }) => {
    const [url, secret] = [new Secret(body.url), new Secret(body.secret)];
    const { events = ALL_EVENTS } = body;
    const request = { name, url, secret, events, expected: ifMatch };
    return respondPut(await webhooks.put(actor, request), viewWebhook, options);
  },

  removeWebhook: async ({ actor, params, ifMatch }) =>
    (await webhooks.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] },

  resumeWebhook: async ({ actor, params }) => respond(await webhooks.resume(actor, params.name), viewWebhook, options),

  testWebhook: async ({ params }) => respond(await webhooks.test(params.name), viewCheck),
});
