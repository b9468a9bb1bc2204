import type { OutboxEntry, PendingOutboxEntry } from '../../../domain/events/domain-event.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { limited } from '../queries/page-query.ts';
import { HAPPENED, toEntry, toHappened } from './happened-row.ts';

const insertOne = prepare(({ db }: SqlSession, row: ReturnType<typeof toHappened>) =>
  db.insertInto('outbox').values(row),
);

const oldest = prepare(({ db }: SqlSession, { limit }: { limit: number }) =>
  limited(
    db
      .selectFrom('outbox')
      .select(['id', ...HAPPENED])
      .orderBy('id'),
    limit,
  ),
);

const first = prepare(({ db }: SqlSession, _: Record<never, never>) =>
  db.selectFrom('outbox').select('id').limit(1),
);

/**
 * What happened, written in the transaction that made it true, until it is in the log. Entries about one record have rising ids, since
 * each is written while that record is locked; of others an earlier id may be committed later.
 */
export class OutboxRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async add(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.#session.signals.add('outbox');
    const [only, ...others] = entries;
    if (only && others.length === 0) await insertOne(this.#session, toHappened(only));
    else
      for (const chunk of chunksOf(entries))
        await this.#session.db.insertInto('outbox').values(chunk.map(toHappened)).execute();
  }

  async isEmpty(): Promise<boolean> {
    return (await first(this.#session, {})).length === 0;
  }

  /** What is not in the log yet, oldest first. */
  async waiting(limit: number): Promise<readonly PendingOutboxEntry[]> {
    const rows = await oldest(this.#session, { limit });
    return rows.map(row => ({ ...toEntry(row), outboxId: row.id }));
  }

  async remove(outboxIds: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(outboxIds))
      await this.#session.db.deleteFrom('outbox').where('id', 'in', chunk).execute();
  }
}
