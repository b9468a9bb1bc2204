import Type from 'typebox';
import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import { NewestLimit, orNull, Timestamp } from '../fields.ts';
import { READERS, route } from '../route.ts';

export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: Timestamp,
  type: Type.String({ description: 'What happened, as `noun.verb`.' }),
  subject: Type.String({ description: 'The name or address of the record it happened to.' }),
  actor: Type.String({ description: 'The account; empty: the service, or a person at its machine.' }),
  address: Type.String({ description: 'Where the request came from.' }),
  request_id: Type.String(),
  result: Type.String({ description: '`done`, or the code of the refusal.' }),
  cluster: orNull(Type.String()),
  host: orNull(Type.String()),
  operation: orNull(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
  hash: Type.String({
    description:
      'Made over the entry and the hash of the one before, with a key of the service: `hostler audit verify --expect ID:HASH`.',
  }),
});

const text = (description: string) => Type.Optional(Type.String({ maxLength: 128, description }));
const time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern:
        '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?)?$',
      rule: 'must be a day or a time in UTC, such as 2015-12-17 or 2015-12-17T15:48:18.710454',
      description,
    }),
  );

export const auditRoutes = {
  listAudit: route({
    method: 'GET',
    path: '/api/v0/audit',
    tag: 'Audit',
    summary: 'What happened, newest first',
    roles: READERS,
    query: Type.Object({
      limit: Type.Optional(NewestLimit),
      after: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only what comes after the entry with this id in the list.',
        }),
      ),
      type: Type.Optional(Type.Enum(EVENT_TYPES)),
      subject: text('The name or address of a record.'),
      actor: text('An account.'),
      cluster: text('A cluster.'),
      host: text('A host.'),
      operation: text('The id of an operation.'),
      since: time('From this time on.'),
      until: time('Before this time.'),
    }),
    statuses: [200],
    answer: Type.Array(AuditEntry),
  }),
};
