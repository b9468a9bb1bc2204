import type { Selectable } from 'kysely';
import type { LogEntry, LogFilter, LogPrunePoint, LogState } from '../../../domain/events/event-log.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { Sealed } from '../../../domain/secret.ts';
import type { EventType } from '../../../domain/vocabulary.ts';
import { jsonColumn } from '../../json-column.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { LogTable } from '../../tables/event-tables.ts';
import { forUpdate, toChunks, toPage, toPageParams, withLimit } from '../query-building.ts';
import { EVENT_COLUMNS, fromEventRow, toEventRow } from './outbox.ts';

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

const COLUMNS = ['id', 'hash', ...EVENT_COLUMNS] as const;
const EQUALITY_COLUMNS = ['type', 'subject', 'actor', 'cluster', 'host', 'operation'] as const;

/** Where a statement blocks the event loop, a filter that matches few entries examines the log in parts of this length. */
const SCAN_BATCH_SIZE = 5000;

const toLogEntry = (row: Selectable<LogTable>): LogEntry => ({
  ...fromEventRow(row),
  id: row.id,
  hash: row.hash,
});

const listRowsAfter = prepareQuery(({ db }: SqlSession, { after, limit }: { after: number; limit: number }) =>
  withLimit(db.selectFrom('log').select(COLUMNS).where('id', '>', after).orderBy('id'), limit),
);

const selectState = ({ db }: SqlSession) =>
  db
    .selectFrom('log_state')
    .select(['last_id', 'last_hash', 'first_id', 'first_readable_id', 'prune_point_json']);
const findState = prepareQuery((session: SqlSession, _: Record<never, never>) => selectState(session));
const lockState = prepareQuery((session: SqlSession, _: Record<never, never>) =>
  forUpdate(session.engine, selectState(session)),
);

/** What happened, in the order that all readers see. Only the one server at a time that `take` lets through writes to it. */
export class EventLogRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async getState(): Promise<LogState> {
    return this.#toState(await findState(this.#session, {}));
  }

  /** The state, and the log to ourselves until the transaction ends; `undefined`: another server has it. */
  async acquire(): Promise<LogState | undefined> {
    const { db, engine } = this.#session;
    if (!(await engine.tryLockEventLog(db))) return undefined;
    return this.#toState(await lockState(this.#session, {}));
  }

  /** Whoever takes the log adds to its end. */
  async append(entries: readonly LogEntry[], nextState: LogState): Promise<void> {
    const rows = entries.map(entry => ({ ...toEventRow(entry), id: entry.id, hash: entry.hash }));
    for (const chunk of toChunks(rows)) await this.#session.db.insertInto('log').values(chunk).execute();
    await this.#setState(nextState);
    this.#session.signals.add('log');
  }

  /** Takes away what is before the first that is kept. Nothing else ever goes, which the tables themselves see to. */
  async cut(nextState: LogState): Promise<void> {
    await this.#setState(nextState);
    await this.#session.db.deleteFrom('log').where('id', '<', nextState.firstId).execute();
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
    return (await listRowsAfter(this.#session, { after, limit })).map(toLogEntry);
  }

  /** Whether the log has an entry without an id. SQLite allows NULL in this key; Hostler never writes it. */
  async hasUnnumbered(): Promise<boolean> {
    const { db } = this.#session;
    const row = await db.selectFrom('log').select('type').where('id', 'is', null).limit(1).executeTakeFirst();
    return row !== undefined;
  }

  /** How many of these types come after an entry; at most so many are counted. */
  async countAfter(after: number, types: readonly EventType[], max: number): Promise<number> {
    const { db } = this.#session;
    const matching = db.selectFrom('log').select('id').where('id', '>', after).where('type', 'in', types);
    const { count } = await db
      .selectFrom(matching.limit(max).as('some'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Newest first; `after` is the id of the last entry of the page before. */
  async list(filter: LogQuery, page: PageRequest<number>): Promise<Page<LogEntry>> {
    const { after, limit } = toPageParams(page);
    const rows: Selectable<LogTable>[] = [];
    let before = after;
    let remaining = limit;
    do {
      const from = await this.#batchStart(before);
      rows.push(...(await withLimit(this.#selectBetween(from, before, filter), remaining).execute()));
      remaining = limit === undefined ? undefined : limit - rows.length;
      before = from;
    } while (before !== undefined && remaining !== 0);
    return toPage(rows, page, toLogEntry);
  }

  /** The id of the first entry of a part that ends before an entry; `undefined`: the part begins with the log. */
  async #batchStart(before: number | undefined): Promise<number | undefined> {
    const { db, engine } = this.#session;
    if (!engine.blocksEventLoop) return undefined;
    let ids = db
      .selectFrom('log')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(SCAN_BATCH_SIZE - 1);
    if (before !== undefined) ids = ids.where('id', '<', before);
    return (await ids.executeTakeFirst())?.id;
  }

  #selectBetween(from: number | undefined, before: number | undefined, filter: LogQuery) {
    let query = this.#session.db.selectFrom('log').select(COLUMNS).orderBy('id', 'desc');
    if (from !== undefined) query = query.where('id', '>=', from);
    if (before !== undefined) query = query.where('id', '<', before);
    for (const column of EQUALITY_COLUMNS) {
      const value = filter[column];
      if (value !== undefined) query = query.where(column, '=', value);
    }
    if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
    if (filter.until !== undefined) query = query.where('at', '<', filter.until);
    if (filter.without?.length) query = query.where('type', 'not in', filter.without);
    return query;
  }

  #toState([row]: Awaited<ReturnType<typeof findState>>): LogState {
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

/** What the chain of the log is keyed with: one row, made once. */
export class LogKeyRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(): Promise<Sealed | undefined> {
    const row = await this.#session.db.selectFrom('log_keys').select('sealed_key').executeTakeFirst();
    return row?.sealed_key;
  }

  /** Keeps this one unless there is one already: another server was faster. */
  async insertIfAbsent(key: Sealed): Promise<void> {
    await this.#session.db
      .insertInto('log_keys')
      .values({ id: 1, sealed_key: key })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
