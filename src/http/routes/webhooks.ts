import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { WebhookDetails } from '../../app/webhooks.ts';
import type { Webhook, webhookRoutes } from '../../contract/routes/webhooks.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { webhookState } from '../../domain/webhooks/webhook.ts';
import type { HandlersFor } from '../request-context.ts';
import { toEtag } from '../requests/request-headers.ts';
import { parseNamePage, toNameListResult } from '../responses/pagination.ts';

export function viewWebhook({ webhook, url, pending }: WebhookDetails): Static<typeof Webhook> {
  const { name, events, createdAt, progress } = webhook;
  const state = webhookState(progress);
  return {
    name,
    url,
    events: [...events],
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

const toResult = (record: WebhookDetails) => ({
  body: viewWebhook(record),
  headers: { etag: toEtag(record.webhook.revision) },
});

export const webhookHandlers = ({ webhooks }: App): HandlersFor<typeof webhookRoutes> => ({
  listWebhooks: async ({ query, url }) => {
    const page = parseNamePage(query);
    return page instanceof AppError ? page : toNameListResult(url, await webhooks.list(page));
  },

  getWebhook: async ({ params }) => {
    const webhook = await webhooks.get(params.name);
    return webhook instanceof AppError ? webhook : toResult(webhook);
  },

  putWebhook: async ({ actor, params: { name }, body, ifMatch }) => {
    const [url, secret] = [new Secret(body.url), new Secret(body.secret)];
    const { events = ALL_EVENTS } = body;
    const result = await webhooks.put(actor, { name, url, secret, events, expected: ifMatch });
    return result instanceof AppError ? result : { ...toResult(result.record), isNew: result.isNew };
  },

  removeWebhook: async ({ actor, params, ifMatch }) =>
    (await webhooks.remove(actor, { name: params.name, expected: ifMatch })) ?? { body: [] },

  resumeWebhook: async ({ actor, params }) => {
    const webhook = await webhooks.resume(actor, params.name);
    return webhook instanceof AppError ? webhook : toResult(webhook);
  },

  testWebhook: async ({ params }) => {
    const testResult = await webhooks.test(params.name);
    if (testResult instanceof AppError) return testResult;
    const { problems, ...rest } = testResult;
    return { body: { ...rest, ok: problems.length === 0, problems: [...problems] } };
  },
});
