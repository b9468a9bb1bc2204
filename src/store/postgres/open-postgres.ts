import { Kysely, sql } from 'kysely';
import type { Signal } from '../../domain/events/signal.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Semaphore } from '../../lib/turns/semaphore.ts';
import { inTransaction } from '../in-transaction.ts';
import { measuredStore } from '../measured-store.ts';
import type { StoreMeter } from '../meter.ts';
import { hasCurrentSchema, requireCurrentSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import { Signals } from '../signals.ts';
import type { SqlEngine } from '../sql-session.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables/tables.ts';
import { LOG_LOCK, tryLock } from './advisory-locks.ts';
import { postgresDialect } from './dialect.ts';
import { isOthersFault, isRefusedByServer } from './failures.ts';
import type { MigrationOptions } from './migrate-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { Outage } from './outage.ts';
import { openPool } from './pool.ts';
import { SignalChannel } from './signal-channel.ts';

/** Longer than any of PostgreSQL's own limits (`session-settings.ts`). */
const ANSWER_WITHIN_MS = 6000;
const CONNECTIONS = 10;
/** At once, so that long lists leave connections to others. */
const MAX_SNAPSHOTS = 3;

let prepared = 0;

const ENGINE: SqlEngine = {
  hasRowLocks: true,
  blocksEventLoop: false,
  tryLockLog: db => tryLock(db, LOG_LOCK),
  nowMs: async db => {
    const milliseconds = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
    const { rows } = await sql<{ now: number }>`select ${milliseconds} as now`.execute(db);
    if (rows[0] === undefined) throw new Error('the query for the time of PostgreSQL returned no row');
    return rows[0].now;
  },
  // Under a name PostgreSQL plans it once for each connection.
  prepare: query => {
    prepared += 1;
    const named = { ...query, name: `hostler_${prepared}` };
    return async (parameters, db) => (await db.executeQuery({ ...named, parameters })).rows;
  },
};

interface OpenOptions extends MigrationOptions {
  readonly visiting?: boolean;
  /** The most at once. */
  readonly connections?: number;
  readonly answerWithinMs?: number;
  /** Another way to the same PostgreSQL, on which sessions are kept; a pooler between may share them. */
  readonly directUrl?: string | undefined;
  /** Instead of PostgreSQL's own, by which all servers go. */
  readonly clock?: Pick<Clock, 'now'>;
  readonly meter?: StoreMeter;
}

/** Opens the store that several servers share. Whoever only visits takes the schema as it is. */
export async function openPostgres(
  url: string,
  {
    visiting = false,
    connections = CONNECTIONS,
    answerWithinMs = ANSWER_WITHIN_MS,
    directUrl = url,
    clock,
    meter,
    ...migration
  }: OpenOptions = {},
): Promise<Store> {
  const engine: SqlEngine = clock ? { ...ENGINE, nowMs: async () => clock.now() } : ENGINE;
  const outage = new Outage();
  const pool = openPool(url, { size: connections, answerWithinMs });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, outage, meter) });
  try {
    await (visiting ? requireCurrentSchema(db) : migratePostgres(directUrl, db, migration));
  } catch (error) {
    await db.destroy();
    throw isRefusedByServer(error)
      ? new PlainError(`PostgreSQL rejected the connection: ${error.message}; check the setting store`)
      : error;
  }
  const snapshots = new Semaphore(MAX_SNAPSHOTS, Number.POSITIVE_INFINITY);
  const signals = new Signals();
  const channel = visiting
    ? undefined
    : new SignalChannel(directUrl, heard => signals.emit(heard), migration.tell ?? (() => {}));
  const announce = (told: Iterable<Signal>) => {
    signals.emit(told);
    channel?.announce(told);
  };
  const passes = (error: unknown, attempt: number) => outage.passes(error, attempt);
  const store: Store = {
    isShared: true,
    listen: listener => signals.listen(listener),
    announce,
    reads: new Records(db, engine),
    transaction: work => inTransaction(db, engine, work, { isOthersFault, passes, announce }),
    snapshot: work =>
      snapshots.run(() =>
        outage.bridge(() =>
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute(transaction => work(new Records(transaction, engine))),
        ),
      ),
    // A transaction with an ID of its own writes to PostgreSQL's log when it commits.
    checkWritable: async () => {
      await sql`select txid_current()`.execute(db);
    },
    hasCurrentSchema: () => hasCurrentSchema(db),
    poolUse: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await channel?.close();
      await db.destroy();
    },
  };
  return meter ? measuredStore(store, meter) : store;
}
