import Type from 'typebox';
import { WEBHOOK_STATES } from '../../domain/vocabulary.ts';
import { EmptyList, Names, orNull, Paging, Repeated, Timestamp } from '../fields.ts';
import { ADMINS, route } from '../route.ts';

const tag = 'Webhooks';
const path = '/api/v0/webhook/{name}';

const Events = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Types of events such as `host.status`, all of a noun such as `host.*`, or `*`.',
});

export const Webhook = Type.Object({
  name: Type.String(),
  url: Type.String(),
  events: Events,
  state: Type.Enum(WEBHOOK_STATES, {
    description: '`failing`: it is tried again; `parked`: nothing is sent until it is resumed or changed.',
  }),
  position: Type.Integer({ description: 'The last event that it is done with.' }),
  behind: Type.Integer({ description: 'How many events wait for it; no more than 10000 are counted.' }),
  attempts: Type.Integer({ description: 'How often the next event was tried.' }),
  next_attempt_at: orNull(Timestamp),
  failing_since: orNull(Timestamp),
  problem: Type.String({ description: 'What went wrong last; empty when nothing has.' }),
  delivered_id: orNull(Type.Integer(), 'The last event that was delivered.'),
  delivered_at: orNull(Timestamp),
  parked_at: orNull(Timestamp),
  created_at: Timestamp,
});

const Checked = Type.Object({
  name: Type.String(),
  ok: Type.Boolean({ description: 'Whether the receiver has taken it in.' }),
  status: orNull(Type.Integer(), 'What the receiver answered; null where it did not.'),
  problems: Type.Array(Type.String(), { description: 'What is wrong, in words.' }),
});

const common = { tag, roles: ADMINS, statuses: [200] } as const;
const verb = {
  ...common,
  method: 'PUT',
  body: Type.Object({ name: Repeated('name') }),
  refusals: [404],
} as const;

export const webhookRoutes = {
  listWebhooks: route({
    ...common,
    method: 'GET',
    path: '/api/v0/webhooks',
    summary: 'Names of all webhooks',
    query: Paging,
    answer: Names,
  }),
  getWebhook: route({
    ...common,
    method: 'GET',
    path,
    summary: 'A webhook, and how far it has come',
    answer: Webhook,
    refusals: [404],
  }),
  putWebhook: route({
    ...common,
    method: 'PUT',
    path,
    summary: 'Creates a webhook',
    description:
      'Events from now on are sent to it, one after the other. Repeating it with the same content changes nothing. With `If-Match` it ' +
      'replaces the webhook, which goes on from where it stands.',
    body: Type.Object({
      name: Repeated('name'),
      url: Type.String({
        minLength: 1,
        description: 'Where events are sent to: `https`, or `http`; without user, password and fragment.',
      }),
      events: Type.Optional(Events),
      secret: Type.String({
        minLength: 1,
        maxLength: 256,
        writeOnly: true,
        description: 'What each message is signed with. It is never answered.',
      }),
    }),
    statuses: [200, 201],
    answer: Webhook,
    isConditional: true,
    refusals: [409],
  }),
  removeWebhook: route({
    ...common,
    method: 'DELETE',
    path,
    summary: 'Removes a webhook',
    description: 'Also fine when it does not exist.',
    answer: EmptyList,
    isConditional: true,
  }),
  resumeWebhook: route({
    ...verb,
    path: `${path}/resume`,
    summary: 'Has a webhook go on',
    description: 'One that is parked or failing is tried again at once, from where it stands.',
    answer: Webhook,
  }),
  checkWebhook: route({
    ...verb,
    path: `${path}/check`,
    summary: 'Tries out a webhook',
    description: 'Sends one signed message of the type `webhook.check` and answers how that went.',
    answer: Checked,
  }),
};
