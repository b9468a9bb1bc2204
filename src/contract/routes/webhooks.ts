import Type from 'typebox';
import { WEBHOOK_STATES } from '../../domain/vocabulary.ts';
import {
  boolean,
  EmptyList,
  integer,
  MatchesPath,
  NameInput,
  Names,
  named,
  orNull,
  Paging,
  Timestamp,
  text,
} from '../fields.ts';
import { ADMINS, defineRoute } from '../route-definition.ts';

const path = '/api/v0/webhook/{name}';

const EventTypes = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Event types such as `host.status`, groups such as `host.*`, or `*` for all.',
});

export const Webhook = named(
  'Webhook',
  Type.Object({
    name: Type.String(),
    url: Type.String(),
    events: EventTypes,
    state: Type.Enum(WEBHOOK_STATES, {
      description:
        '`failing`: the server retries. `disabled`: the server sends nothing until the webhook is resumed or changed.',
    }),
    position: integer('ID of the last event that was delivered or skipped.'),
    pending: integer('Number of events that wait for delivery. The server counts up to 10000.'),
    attempts: integer('Number of attempts for the next event.'),
    next_attempt_at: orNull(Timestamp),
    failing_since: orNull(Timestamp),
    problem: text('Last problem. Empty if there was none.'),
    delivered_id: orNull(Type.Integer(), 'ID of the last event that the receiver accepted.'),
    delivered_at: orNull(Timestamp),
    disabled_at: orNull(Timestamp),
    created_at: Timestamp,
  }),
);

const WebhookInput = named(
  'WebhookInput',
  Type.Object({
    name: MatchesPath('name'),
    url: text('URL of the receiver: `https` or `http`, without user, password and fragment.', { minLength: 1 }),
    events: Type.Optional(EventTypes),
    secret: Type.String({
      minLength: 1,
      maxLength: 256,
      writeOnly: true,
      description: 'Secret that signs each request to the URL. The server never returns it.',
    }),
  }),
);

const TestResult = named(
  'WebhookTestResult',
  Type.Object({
    name: Type.String(),
    ok: boolean('Whether the receiver accepted the test event.'),
    status: orNull(Type.Integer(), 'HTTP status of the response; `null` if there was none.'),
    problems: Type.Array(Type.String(), { description: 'Problems that the test found.' }),
  }),
);

const get = { tag: 'Webhooks', method: 'GET', roles: ADMINS } as const;
const put = { tag: 'Webhooks', method: 'PUT', roles: ADMINS } as const;
const action = { ...put, body: NameInput, errorStatuses: [404] } as const;

export const webhookRoutes = {
  listWebhooks: defineRoute({
    ...get,
    path: '/api/v0/webhooks',
    summary: 'List webhook names',
    query: Paging,
    response: Names,
  }),
  getWebhook: defineRoute({
    ...get,
    path,
    summary: 'Get a webhook and its delivery state',
    response: Webhook,
  }),
  putWebhook: defineRoute({
    ...put,
    path,
    summary: 'Create or replace a webhook',
    description:
      'The server sends new events to the URL, one at a time. Repeating the request with the same content changes nothing. With `If-Match`, the request replaces the webhook, and delivery continues with the next undelivered event.',
    body: WebhookInput,
    statuses: [200, 201],
    response: Webhook,
    supportsIfMatch: true,
    errorStatuses: [409],
  }),
  removeWebhook: defineRoute({
    ...put,
    method: 'DELETE',
    path,
    summary: 'Remove a webhook',
    description: 'Also succeeds if the webhook does not exist.',
    response: EmptyList,
    supportsIfMatch: true,
  }),
  resumeWebhook: defineRoute({
    ...action,
    path: `${path}/resume`,
    summary: 'Resume a webhook',
    description: 'A disabled or failing webhook retries immediately, with the next undelivered event.',
    response: Webhook,
  }),
  testWebhook: defineRoute({
    ...action,
    path: `${path}/test`,
    summary: 'Send a test event to a webhook',
    description: 'Sends one signed test event (type `webhook.test`, ID 0) and returns the result.',
    response: TestResult,
  }),
};
