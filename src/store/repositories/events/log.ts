import type { Selectable } from 'kysely';
import type { LogEntry, LogFilter, LogPrunePoint, LogState } from '../../../domain/events/event-log.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { EventType } from '../../../domain/vocabulary.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { jsonColumn } from '../../stored-json.ts';
import type { LogTable } from '../../tables/event-tables.ts';
import { chunksOf } from '../queries/chunks-of.ts';
import { forUpdate } from '../queries/for-update.ts';
import { limited, pageParams, toListed } from '../queries/page-query.ts';
import { HAPPENED, toEntry, toHappened } from './happened-row.ts';

export interface LogQuery extends LogFilter {
  readonly type?: EventType | undefined;
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  /** From this time on. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
  /** None of these types. */
  readonly without?: readonly EventType[] | undefined;
}

const prunePointJson = jsonColumn<LogPrunePoint>({ firstId: 'first_id', hash: 'hash', at: 'at', mac: 'mac' });

const COLUMNS = ['id', 'hash', ...HAPPENED] as const;
const EQUALS = ['type', 'subject', 'actor', 'cluster', 'host', 'operation'] as const;

/** Where a statement blocks the event loop, a filter that matches few entries examines the log in parts of this length. */
const EXAMINED_AT_ONCE = 5000;

const toLogEntry = (row: Selectable<LogTable>): LogEntry => ({ ...toEntry(row), id: row.id, hash: row.hash });

const rowsAfter = prepare(({ db }: SqlSession, { after, limit }: { after: number; limit: number }) =>
  limited(db.selectFrom('log').select(COLUMNS).where('id', '>', after).orderBy('id'), limit),
);

const one = ({ db }: SqlSession) =>
  db
    .selectFrom('log_state')
    .select(['last_id', 'last_hash', 'first_id', 'first_readable_id', 'prune_point_json']);
const state = prepare((session: SqlSession, _: Record<never, never>) => one(session));
const lockedState = prepare((session: SqlSession, _: Record<never, never>) =>
  forUpdate(session.engine, one(session)),
);

/** What happened, in the order that all readers see. Only the one server at a time that `take` lets through writes to it. */
export class LogRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async state(): Promise<LogState> {
    return this.#toState(await state(this.#session, {}));
  }

  /** The state, and the log to ourselves until the transaction ends; `undefined`: another server has it. */
  async take(): Promise<LogState | undefined> {
    const { db, engine } = this.#session;
    if (!(await engine.tryLockLog(db))) return undefined;
    return this.#toState(await lockedState(this.#session, {}));
  }

  /** Whoever takes the log adds to its end. */
  async append(entries: readonly LogEntry[], after: LogState): Promise<void> {
    const rows = entries.map(entry => ({ ...toHappened(entry), id: entry.id, hash: entry.hash }));
    for (const chunk of chunksOf(rows)) await this.#session.db.insertInto('log').values(chunk).execute();
    await this.#setState(after);
    this.#session.signals.add('log');
  }

  /** Takes away what is before the first that is kept. Nothing else ever goes, which the tables themselves see to. */
  async cut(after: LogState): Promise<void> {
    await this.#setState(after);
    await this.#session.db.deleteFrom('log').where('id', '<', after.firstId).execute();
  }

  async #setState({ lastId, lastHash, firstId, firstReadableId, prunePoint }: LogState): Promise<void> {
    await this.#session.db
      .updateTable('log_state')
      .set({
        last_id: lastId,
        last_hash: lastHash,
        first_id: firstId,
        first_readable_id: firstReadableId,
        prune_point_json: prunePoint && prunePointJson.stringify(prunePoint),
      })
      .execute();
  }

  /** In their order, from the one after `after` on. */
  async after(after: number, limit: number): Promise<readonly LogEntry[]> {
    return (await rowsAfter(this.#session, { after, limit })).map(toLogEntry);
  }

  /** Whether the log has an entry without an id. SQLite allows NULL in this key; Hostler never writes it. */
  async hasUnnumbered(): Promise<boolean> {
    const { db } = this.#session;
    const row = await db.selectFrom('log').select('type').where('id', 'is', null).limit(1).executeTakeFirst();
    return row !== undefined;
  }

  /** How many of these types come after an entry; at most so many are counted. */
  async countAfter(after: number, types: readonly EventType[], most: number): Promise<number> {
    const { db } = this.#session;
    const some = db.selectFrom('log').select('id').where('id', '>', after).where('type', 'in', types);
    const { count } = await db
      .selectFrom(some.limit(most).as('some'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Newest first; `after` is the id of the last entry of the page before. */
  async list(wanted: LogQuery, page: PageRequest<number>): Promise<Page<LogEntry>> {
    const { after, limit } = pageParams(page);
    const rows: Selectable<LogTable>[] = [];
    let before = after;
    let missing = limit;
    do {
      const from = await this.#startOfPart(before);
      rows.push(...(await limited(this.#between(from, before, wanted), missing).execute()));
      missing = limit === undefined ? undefined : limit - rows.length;
      before = from;
    } while (before !== undefined && missing !== 0);
    return toListed(rows, page, toLogEntry);
  }

  /** The id of the first entry of a part that ends before an entry; `undefined`: the part begins with the log. */
  async #startOfPart(before: number | undefined): Promise<number | undefined> {
    const { db, engine } = this.#session;
    if (!engine.blocksEventLoop) return undefined;
    let ids = db
      .selectFrom('log')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(EXAMINED_AT_ONCE - 1);
    if (before !== undefined) ids = ids.where('id', '<', before);
    return (await ids.executeTakeFirst())?.id;
  }

  #between(from: number | undefined, before: number | undefined, wanted: LogQuery) {
    let query = this.#session.db.selectFrom('log').select(COLUMNS).orderBy('id', 'desc');
    if (from !== undefined) query = query.where('id', '>=', from);
    if (before !== undefined) query = query.where('id', '<', before);
    for (const column of EQUALS) {
      const value = wanted[column];
      if (value !== undefined) query = query.where(column, '=', value);
    }
    if (wanted.since !== undefined) query = query.where('at', '>=', wanted.since);
    if (wanted.until !== undefined) query = query.where('at', '<', wanted.until);
    if (wanted.without?.length) query = query.where('type', 'not in', wanted.without);
    return query;
  }

  #toState([row]: Awaited<ReturnType<typeof state>>): LogState {
    if (row === undefined) throw new Error('the table log_state has no row');
    const prunePoint = row.prune_point_json === null ? null : prunePointJson.parse(row.prune_point_json);
    return {
      lastId: row.last_id,
      lastHash: row.last_hash,
      firstId: row.first_id,
      firstReadableId: row.first_readable_id,
      prunePoint,
    };
  }
}
