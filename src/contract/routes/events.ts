import Type from 'typebox';
import { EVENT_ORIGINS } from '../../domain/vocabulary.ts';
import { EventSchema } from '../event-payloads.ts';
import {
  boolean,
  EventType,
  integer,
  Name,
  named,
  OperationId,
  optionalText,
  orNull,
  RecentLimit,
  Timestamp,
  text,
} from '../fields.ts';
import { defineRoute, READERS } from '../route-definition.ts';

/** The server no longer has the events, or never had them. */
export const EventReset = named(
  'EventReset',
  Type.Object({
    type: Type.Literal('reset'),
    after: integer('Event ID that the client requested.'),
    position: integer('Event ID after which the stream continues.'),
  }),
);

/** Without an event ID. Not stored. */
export const OutputNotification = named(
  'OutputNotification',
  Type.Object({
    type: Type.Literal('output'),
    operation: Type.String(),
    hosts: Type.Array(Type.String(), { description: 'Hosts with new output, sorted by address, without duplicates.' }),
  }),
);

export const eventRoutes = {
  streamEvents: defineRoute({
    method: 'GET',
    path: '/api/v0/events',
    tag: 'Events',
    summary: 'Stream events',
    description:
      'Returns a stream of Server-Sent Events that does not end by itself. The `id` of a message is the event ID. Its data is the event as JSON (schema `Event`). A message of type `reset` (`EventReset`) has `after` and `position`: the server no longer has the events after the requested ID, so the client must read all records again. With `output=true`, messages of type `output` (`OutputNotification`) have `operation` and `hosts`, but no `id`: steps of the operation have new output on these hosts. Comment lines are heartbeats.',
    roles: READERS,
    query: Type.Object({
      after: Type.Optional(
        integer(
          'ID of the last event that the client received; 0 starts at the beginning. Without it and `Last-Event-ID`, the stream starts with the next event.',
          { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        ),
      ),
      cluster: Type.Optional(Type.String({ ...Name, description: 'Only events about this cluster.' })),
      host: optionalText('Only events about the host with this address.', { maxLength: 128 }),
      operation: Type.Optional(
        Type.String({ ...OperationId, description: 'Only events about the operation with this ID.' }),
      ),
      output: Type.Optional(boolean('Also send messages of type `output` when steps of operations have new output.')),
    }),
    response: Type.String({
      description: 'Server-Sent Events, as defined by the HTML standard.',
      contentMediaType: 'application/json',
      contentSchema: Type.Union([EventSchema, EventReset, OutputNotification]),
    }),
    mediaType: 'text/event-stream',
    supportsLastEventId: true,
    isStream: true,
  }),
};

export const AuditEntry = named(
  'AuditEntry',
  Type.Object({
    id: Type.Integer(),
    at: Timestamp,
    type: text('Event type, as `noun.verb`.'),
    subject: text('Name, address or ID of the affected record.'),
    actor: text('Account. Empty if the server itself, or a person on its machine, made the change.'),
    address: text('Address of the client.'),
    request_id: Type.String(),
    result: text('`ok`, or the error code.'),
    cluster: orNull(Type.String()),
    host: orNull(Type.String()),
    operation: orNull(Type.String()),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'The payload of the event type.' }),
    hash: text('Keyed hash of the entry and the previous hash. `hostler audit verify --expect ID:HASH` verifies it.'),
  }),
);

const filter = (description: string) => optionalText(description, { maxLength: 128 });
const time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?)?$',
      rule: 'must be a date or a time in UTC, such as 2015-12-17 or 2015-12-17T15:48:18.710454',
      description,
      examples: ['2026-11-15T08:30:00'],
    }),
  );

export const auditRoutes = {
  listAudit: defineRoute({
    method: 'GET',
    path: '/api/v0/audit',
    tag: 'Audit',
    summary: 'List audit log entries, newest first',
    roles: READERS,
    query: Type.Object({
      limit: Type.Optional(RecentLimit),
      after: Type.Optional(
        integer('Return only entries after the entry with this ID, the last entry of the previous page.', {
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
      type: Type.Optional(EventType),
      origin: Type.Optional(
        Type.Enum(EVENT_ORIGINS, {
          description:
            '`request`: only entries that a request caused. `system`: only entries that the server recorded by itself, such as a status that a health check changed.',
        }),
      ),
      subject: filter('Only entries with this subject: the name, address or ID of a record.'),
      actor: filter('Only entries of this account.'),
      cluster: filter('Only entries about this cluster.'),
      host: filter('Only entries about the host with this address.'),
      operation: filter('Only entries about the operation with this ID.'),
      since: time('Only entries at or after this time.'),
      until: time('Only entries before this time.'),
    }),
    response: Type.Array(AuditEntry),
  }),
};
