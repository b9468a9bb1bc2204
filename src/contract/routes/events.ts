import Type from 'typebox';
import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import { Name, OperationId, orNull, Timestamp } from '../fields.ts';
import { READERS, route } from '../route.ts';

/** What happened, as it is told to whoever reads events. */
export const Event = Type.Object({
  id: Type.Integer({
    description: 'Its number; the next event has the next, but after a restore from a backup.',
  }),
  type: Type.Enum(EVENT_TYPES),
  at: Timestamp,
  cluster: orNull(Type.String()),
  host: orNull(Type.String()),
  operation: orNull(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** Told in the place of events that are not kept any more, or never were. */
export const EventReset = Type.Object({
  type: Type.Literal('reset'),
  after: Type.Integer({ description: 'The position that was asked for.' }),
  position: Type.Integer({ description: 'The position from which it goes on.' }),
});

/** Told beside events, without a number, to those who ask for it; kept nowhere. */
export const EventHint = Type.Object({
  type: Type.Literal('output'),
  operation: Type.String(),
  hosts: Type.Array(Type.String(), {
    description: 'Where its steps have said more; by address, each once.',
  }),
});

export const eventRoutes = {
  readEvents: route({
    method: 'GET',
    path: '/api/v0/events',
    tag: 'Events',
    summary: 'What happens, as it happens',
    description:
      'Server-Sent Events, without end. Each message has the number of an event as its `id`, and as its data the event as JSON: `id`, ' +
      '`type`, `at`, `cluster`, `host`, `operation`, `data`. A message of the type `reset` has `after` and `position`: what came after the ' +
      'position that was asked for is not kept any more, so read everything anew. With `output=true` ' +
      'messages of the type `output` have `operation` and `hosts`, and no `id`: its steps have said more there. Comments are signs of life.',
    roles: READERS,
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'The number of the last event that you know of; 0: from the beginning. Without it, and without `Last-Event-ID`, it begins now.',
        }),
      ),
      cluster: Type.Optional(Type.String({ ...Name, description: 'Only what concerns this cluster.' })),
      host: Type.Optional(
        Type.String({ maxLength: 128, description: 'Only what concerns the host with this address.' }),
      ),
      operation: Type.Optional(
        Type.String({ ...OperationId, description: 'Only what concerns the operation with this id.' }),
      ),
      output: Type.Optional(
        Type.Boolean({
          description:
            'Whether to tell also where steps of operations have said more, as messages of the type `output`.',
        }),
      ),
    }),
    statuses: [200],
    answer: Type.String({ description: 'Messages, as the HTML standard describes them.' }),
    mediaType: 'text/event-stream',
    hasLastEventId: true,
    isStream: true,
  }),
};
