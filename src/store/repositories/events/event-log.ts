import { sql } from 'kysely';
import type { LogEntry, LogFilter, LogPrunePoint, LogState } from '../../../domain/events/event-log.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { Sealed } from '../../../domain/secret.ts';
import type { EventOrigin, EventType } from '../../../domain/vocabulary.ts';
import { jsonColumn } from '../../json-column.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { insertIfAbsent, prepareLookup, toChunks, toPage, toPageParams, withLimit } from '../query-building.ts';
import { EVENT_COLUMNS, toEventRow } from './outbox.ts';

export interface LogQuery extends LogFilter {
  readonly type?: EventType | undefined;
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly origin?: EventOrigin | undefined;
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
  readonly without?: readonly EventType[] | undefined;
}

const prunePointJson = jsonColumn<LogPrunePoint>({ firstId: 'first_id', hash: 'hash', at: 'at', mac: 'mac' });

const COLUMNS = ['id', 'hash', ...EVENT_COLUMNS] as const;
const EQUALITY_COLUMNS = ['type', 'subject', 'actor', 'cluster', 'host', 'operation'] as const;

/** On an engine that blocks the event loop, a filter reads the log in batches of this size. */
const SCAN_BATCH_SIZE = 5000;

const listRowsAfter = prepareQuery(({ db }: SqlSession, { after, limit }: { after: number; limit: number }) =>
  withLimit(db.selectFrom('log').select(COLUMNS).where('id', '>', after).orderBy('id'), limit),
);

const stateLookup = prepareLookup(({ db }: SqlSession) =>
  db
    .selectFrom('log_state')
    .select(['last_id as lastId', 'last_hash as lastHash', 'first_id as firstId'])
    .select(['first_readable_id as firstReadableId', 'prune_point_json']),
);

function toState(row: Awaited<ReturnType<typeof stateLookup.find>>): LogState {
  if (row === undefined) throw new Error('the table log_state has no row');
  const { prune_point_json, ...state } = row;
  return { ...state, prunePoint: prune_point_json === null ? null : prunePointJson.parse(prune_point_json) };
}

/** The event log. Only the server that `acquire` returned the state to may write. */
export class EventLogRepository extends Repository {
  async getState(): Promise<LogState> {
    return toState(await stateLookup.find(this.session, {}));
  }

  /** Locks the log until the transaction ends. Returns `undefined` if another server has it. */
  async acquire(): Promise<LogState | undefined> {
    const { db, engine } = this.session;
    if (!(await engine.tryLockEventLog(db))) return undefined;
    return toState(await stateLookup.lock(this.session, {}));
  }

  /** The caller must hold the log. */
  async append(entries: readonly LogEntry[], nextState: LogState): Promise<void> {
    const rows = entries.map(entry => ({ ...toEventRow(entry), id: entry.id, hash: entry.hash }));
    for (const chunk of toChunks(rows)) await this.db.insertInto('log').values(chunk).execute();
    await this.#setState(nextState);
    this.session.signals.add('log');
  }

  /** Deletes the entries before `firstId`. Triggers prevent any other deletion. */
  async prune(nextState: LogState): Promise<void> {
    await this.#setState(nextState);
    await this.db.deleteFrom('log').where('id', '<', nextState.firstId).execute();
  }

  async #setState({ lastId, lastHash, firstId, firstReadableId, prunePoint }: LogState): Promise<void> {
    await this.db
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

  readAfter(after: number, limit: number): Promise<readonly LogEntry[]> {
    return listRowsAfter(this.session, { after, limit });
  }

  /** SQLite allows a NULL id. Hostler never writes one. */
  async hasUnnumbered(): Promise<boolean> {
    const { db } = this;
    const row = await db.selectFrom('log').select('type').where('id', 'is', null).limit(1).executeTakeFirst();
    return row !== undefined;
  }

  async countAfter(after: number, types: readonly EventType[], max: number): Promise<number> {
    const { db } = this;
    const matching = db.selectFrom('log').select('id').where('id', '>', after).where('type', 'in', types);
    const counted = db.selectFrom(matching.limit(max).as('some')).select(({ fn }) => fn.countAll<number>().as('count'));
    return (await counted.executeTakeFirstOrThrow()).count;
  }

  /** Newest first. `after` is the id of the last entry of the previous page. */
  async list(filter: LogQuery, page: PageRequest<number>): Promise<Page<LogEntry>> {
    const { after, limit } = toPageParams(page);
    const entries: LogEntry[] = [];
    let before = after;
    let remaining = limit;
    do {
      const from = await this.#batchStart(before);
      entries.push(...(await withLimit(this.#selectBetween(from, before, filter), remaining).execute()));
      remaining = limit === undefined ? undefined : limit - entries.length;
      before = from;
    } while (before !== undefined && remaining !== 0);
    return toPage(entries, page, entry => entry);
  }

  /** The first id of the batch before `before`; `undefined` if the batch starts with the log. */
  async #batchStart(before: number | undefined): Promise<number | undefined> {
    const { db, engine } = this.session;
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
    let query = this.db.selectFrom('log').select(COLUMNS).orderBy('id', 'desc');
    if (from !== undefined) query = query.where('id', '>=', from);
    if (before !== undefined) query = query.where('id', '<', before);
    for (const column of EQUALITY_COLUMNS) {
      const value = filter[column];
      if (value !== undefined) query = query.where(column, '=', value);
    }
    // Not a parameter: SQLite uses a partial index only for the same literal.
    if (filter.origin !== undefined)
      query = query.where('request_id', filter.origin === 'request' ? '<>' : '=', sql.lit(''));
    if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
    if (filter.until !== undefined) query = query.where('at', '<', filter.until);
    if (filter.without?.length) query = query.where('type', 'not in', filter.without);
    return query;
  }
}

/** The key of the hash chain: one row that never changes, except that key rotation encrypts it again. */
export class LogKeyRepository extends Repository {
  async get(): Promise<Sealed | undefined> {
    const row = await this.db.selectFrom('log_keys').select('sealed_key').executeTakeFirst();
    return row?.sealed_key;
  }

  /** Another server can have added a key first. */
  async insertIfAbsent(key: Sealed): Promise<void> {
    await insertIfAbsent(this.db.insertInto('log_keys').values({ id: 1, sealed_key: key }));
  }
}
