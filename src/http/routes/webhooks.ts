import type { App } from '../../app/index.ts';
import type { ReadableWebhook } from '../../app/webhooks/read-webhooks.ts';
import type { webhookRoutes } from '../../contract/routes/webhooks.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { answerNames, pageOfNames } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { etagOf } from '../requests/conditional.ts';
import { viewWebhook } from '../views/webhook.ts';

const EVERYTHING = ['*'];

const answer = (record: ReadableWebhook) => ({
  body: viewWebhook(record),
  headers: { etag: etagOf(record.webhook.revision) },
});

export const webhookHandlers = ({ webhooks }: App): HandlersOf<typeof webhookRoutes> => ({
  listWebhooks: async ({ query, url }) => {
    const page = pageOfNames(query);
    return page instanceof AppError ? page : answerNames(url, await webhooks.list(page));
  },

  getWebhook: async ({ params }) => {
    const webhook = await webhooks.get(params.name);
    return webhook instanceof AppError ? webhook : answer(webhook);
  },

  putWebhook: async ({ actor, params: { name }, body, expected }) => {
    const [url, secret] = [new Secret(body.url), new Secret(body.secret)];
    const { events = EVERYTHING } = body;
    const result = await webhooks.put(actor, { name, url, secret, events, expected });
    return result instanceof AppError ? result : { ...answer(result.record), isNew: result.isNew };
  },

  removeWebhook: async ({ actor, params, expected }) =>
    (await webhooks.remove(actor, { name: params.name, expected })) ?? { body: [] },

  resumeWebhook: async ({ actor, params }) => {
    const webhook = await webhooks.resume(actor, params.name);
    return webhook instanceof AppError ? webhook : answer(webhook);
  },

  testWebhook: async ({ params }) => {
    const tested = await webhooks.test(params.name);
    if (tested instanceof AppError) return tested;
    const { problems, ...rest } = tested;
    return { body: { ...rest, ok: problems.length === 0, problems: [...problems] } };
  },
});
