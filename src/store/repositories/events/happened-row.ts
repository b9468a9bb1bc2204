import type { Insertable, Selectable } from 'kysely';
import type { OutboxEntry } from '../../../domain/events/domain-event.ts';
import type { LogTable } from '../../tables/event-tables.ts';

/** The columns that the outbox and the log share. */
export const HAPPENED = [
  'type',
  'subject',
  'actor',
  'address',
  'request_id',
  'at',
  'cluster',
  'host',
  'operation',
  'data_json',
] as const;

type Happened = (typeof HAPPENED)[number];

export const toHappened = ({
  requestId,
  dataJson,
  type,
  subject,
  actor,
  address,
  at,
  cluster,
  host,
  operation,
}: OutboxEntry): Pick<Insertable<LogTable>, Happened> => ({
  ...{ type, subject, actor, address, at, cluster, host, operation },
  request_id: requestId,
  data_json: dataJson,
});

export const toEntry = (row: Pick<Selectable<LogTable>, Happened>): OutboxEntry => ({
  type: row.type,
  subject: row.subject,
  actor: row.actor,
  address: row.address,
  requestId: row.request_id,
  at: row.at,
  cluster: row.cluster,
  host: row.host,
  operation: row.operation,
  dataJson: row.data_json,
});
