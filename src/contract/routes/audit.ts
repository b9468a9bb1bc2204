import Type from 'typebox';
import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import { NewestLimit, orNull, Timestamp } from '../fields.ts';
import { READERS, route } from '../route.ts';

export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: Timestamp,
  type: Type.String({ description: 'Event type, as `noun.verb`.' }),
  subject: Type.String({ description: 'Name, address or ID of the affected record.' }),
  actor: Type.String({
    description: 'Account. Empty if the server itself, or a person on its machine, made the change.',
  }),
  address: Type.String({ description: 'Address of the client.' }),
  request_id: Type.String(),
  result: Type.String({ description: '`ok`, or the error code.' }),
  cluster: orNull(Type.String()),
  host: orNull(Type.String()),
  operation: orNull(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
  hash: Type.String({
    description:
      'Keyed hash of the entry and the previous hash. `hostler audit verify --expect ID:HASH` verifies it.',
  }),
});

const text = (description: string) => Type.Optional(Type.String({ maxLength: 128, description }));
const time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern:
        '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?)?$',
      rule: 'must be a date or a time in UTC, such as 2015-12-17 or 2015-12-17T15:48:18.710454',
      description,
    }),
  );

export const auditRoutes = {
  listAudit: route({
    method: 'GET',
    path: '/api/v0/audit',
    tag: 'Audit',
    summary: 'List audit log entries, newest first',
    roles: READERS,
    query: Type.Object({
      limit: Type.Optional(NewestLimit),
      after: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'Return only entries after the entry with this ID, the last entry of the previous page.',
        }),
      ),
      type: Type.Optional(Type.Enum(EVENT_TYPES)),
      subject: text('Only entries with this subject: the name, address or ID of a record.'),
      actor: text('Only entries of this account.'),
      cluster: text('Only entries about this cluster.'),
      host: text('Only entries about the host with this address.'),
      operation: text('Only entries about the operation with this ID.'),
      since: time('Only entries at or after this time.'),
      until: time('Only entries before this time.'),
    }),
    statuses: [200],
    answer: Type.Array(AuditEntry),
  }),
};
