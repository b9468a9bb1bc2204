import type { Insertable, Selectable } from 'kysely';
import type { OutboxEntry, PendingOutboxEntry } from '../../../domain/events/domain-event.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { LogTable } from '../../tables/event-tables.ts';
import { toChunks, withLimit } from '../query-building.ts';

export const EVENT_COLUMNS = [
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

type EventColumn = (typeof EVENT_COLUMNS)[number];

export const toEventRow = ({
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
}: OutboxEntry): Pick<Insertable<LogTable>, EventColumn> => ({
  ...{ type, subject, actor, address, at, cluster, host, operation },
  request_id: requestId,
  data_json: dataJson,
});

export const fromEventRow = (row: Pick<Selectable<LogTable>, EventColumn>): OutboxEntry => ({
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

const insertEntry = prepareQuery(({ db }: SqlSession, row: ReturnType<typeof toEventRow>) =>
  db.insertInto('outbox').values(row),
);

const listOldest = prepareQuery(({ db }: SqlSession, { limit }: { limit: number }) =>
  withLimit(
    db
      .selectFrom('outbox')
      .select(['id', ...EVENT_COLUMNS])
      .orderBy('id'),
    limit,
  ),
);

const findFirstId = prepareQuery(({ db }: SqlSession, _: Record<never, never>) =>
  db.selectFrom('outbox').select('id').limit(1),
);

/**
 * Events that are not in the log yet. Transactions write them together with the change. Entries about one
 * record have increasing ids, because the record is locked. Entries about different records can be committed
 * out of order.
 */
export class OutboxRepository extends Repository {
  async add(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.session.signals.add('outbox');
    const [only, ...others] = entries;
    if (only && others.length === 0) await insertEntry(this.session, toEventRow(only));
    else
      for (const chunk of toChunks(entries)) await this.db.insertInto('outbox').values(chunk.map(toEventRow)).execute();
  }

  async isEmpty(): Promise<boolean> {
    return (await findFirstId(this.session, {})).length === 0;
  }

  /** Oldest first. */
  async listPending(limit: number): Promise<readonly PendingOutboxEntry[]> {
    const rows = await listOldest(this.session, { limit });
    return rows.map(row => ({ ...fromEventRow(row), outboxId: row.id }));
  }

  async remove(outboxIds: readonly number[]): Promise<void> {
    for (const chunk of toChunks(outboxIds)) await this.db.deleteFrom('outbox').where('id', 'in', chunk).execute();
  }
}
