import type { NumberedOutboxEntry, OutboxEntry } from '../../domain/outbox.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { AuditType } from '../../domain/vocabulary.ts';
import { AUDIT_TYPES } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';
import { chunksOf } from './chunks-of.ts';
import { limited, pageParams, toListed } from './page-query.ts';

export interface OutboxFilter {
  readonly type?: AuditType | undefined;
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly cluster?: string | undefined;
  readonly host?: string | undefined;
  /** From this time on. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
  /** Leaves out every type of this noun. */
  readonly withoutNoun?: string | undefined;
}

const typesOf = (noun: string) => AUDIT_TYPES.filter(type => type.startsWith(`${noun}.`));

const toRow = ({ requestId, data, ...entry }: OutboxEntry) => ({
  ...entry,
  request_id: requestId,
  data_json: JSON.stringify(data),
});

const insertOne = prepare(({ db }: Session, row: ReturnType<typeof toRow>) =>
  db.insertInto('outbox').values(row),
);

/** What happened, written in the transaction that made it true. */
export class OutboxRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async add(entries: readonly OutboxEntry[]): Promise<void> {
    const [first, ...others] = entries;
    if (first && others.length === 0) await insertOne(this.#session, toRow(first));
    else
      for (const chunk of chunksOf(entries))
        await this.#session.db.insertInto('outbox').values(chunk.map(toRow)).execute();
  }

  /** Newest first; `after` is the id of the last entry of the page before. */
  async list(filter: OutboxFilter, page: Page<number>): Promise<Listed<NumberedOutboxEntry>> {
    let query = this.#session.db.selectFrom('outbox').selectAll().orderBy('id', 'desc');
    if (page.after !== undefined) query = query.where('id', '<', page.after);
    if (filter.type !== undefined) query = query.where('type', '=', filter.type);
    if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
    if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
    if (filter.cluster !== undefined) query = query.where('cluster', '=', filter.cluster);
    if (filter.host !== undefined) query = query.where('host', '=', filter.host);
    if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
    if (filter.withoutNoun !== undefined) query = query.where('type', 'not in', typesOf(filter.withoutNoun));
    if (filter.until !== undefined) query = query.where('at', '<', filter.until);
    const rows = await limited(query, pageParams(page).limit).execute();
    return toListed(rows, page, ({ request_id, data_json, ...row }) => ({
      ...row,
      requestId: request_id,
      data: JSON.parse(data_json),
    }));
  }
}
