import type { OutboxEntry, PendingOutboxEntry } from '../../../domain/events/domain-event.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { toChunks, withLimit } from '../query-building.ts';

export const EVENT_COLUMNS = [
  'type',
  'subject',
  'actor',
  'address',
  'request_id as requestId',
  'at',
  'cluster',
  'host',
  'operation',
  'data_json as dataJson',
] as const;

export const toEventRow = (entry: OutboxEntry) => ({
  type: entry.type,
  subject: entry.subject,
  actor: entry.actor,
  address: entry.address,
  request_id: entry.requestId,
  at: entry.at,
  cluster: entry.cluster,
  host: entry.host,
  operation: entry.operation,
  data_json: entry.dataJson,
});

const insertEntry = prepareQuery(({ db }: SqlSession, row: ReturnType<typeof toEventRow>) =>
  db.insertInto('outbox').values(row),
);

const listOldest = prepareQuery(({ db }: SqlSession, { limit }: { limit: number }) => {
  const oldest = db.selectFrom('outbox').select(['id as outboxId', ...EVENT_COLUMNS]);
  return withLimit(oldest.orderBy('id'), limit);
});

const findFirstId = prepareQuery(({ db }: SqlSession) => db.selectFrom('outbox').select('id').limit(1));

/**
 * Events that are not in the log yet. Transactions write them together with the change. Entries about one record have
 * increasing ids, because the record is locked. Entries about different records can be committed out of order.
 */
export class OutboxRepository extends Repository {
  async add(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.session.signals.add('outbox');
    const [first] = entries;
    if (first && entries.length === 1) await insertEntry(this.session, toEventRow(first));
    else
      for (const chunk of toChunks(entries)) await this.db.insertInto('outbox').values(chunk.map(toEventRow)).execute();
  }

  async isEmpty(): Promise<boolean> {
    return (await findFirstId(this.session, {})).length === 0;
  }

  /** Oldest first. */
  listPending(limit: number): Promise<readonly PendingOutboxEntry[]> {
    return listOldest(this.session, { limit });
  }

  async remove(outboxIds: readonly number[]): Promise<void> {
    for (const chunk of toChunks(outboxIds)) await this.db.deleteFrom('outbox').where('id', 'in', chunk).execute();
  }
}
