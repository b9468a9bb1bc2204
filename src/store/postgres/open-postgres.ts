import { Kysely, sql } from 'kysely';
import type { Signal } from '../../domain/events/signal.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { assertSchemaCurrent, hasCurrentSchema } from '../migrate.ts';
import { Repositories } from '../repositories/index.ts';
import type { SqlEngine } from '../sql-session.ts';
import type { Store } from '../store.ts';
import { SignalBus } from '../store.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import { withMetrics } from '../store-metrics.ts';
import type { Tables } from '../tables/tables.ts';
import { runTransaction } from '../transaction.ts';
import { EVENT_LOG_LOCK, postgresDialect, tryAdvisoryLock } from './dialect.ts';
import { isLoginRejected, isSerializationFailure, OutageRetry } from './errors.ts';
import type { MigrationOptions } from './migrate-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPool } from './pool.ts';
import { SignalChannel } from './signal-channel.ts';

/** Longer than the timeouts of PostgreSQL (`pool.ts`). */
const RESPONSE_TIMEOUT_MS = 6000;
const MAX_CONNECTIONS = 10;
/** Leaves connections free while long lists are read. */
const MAX_SNAPSHOTS = 3;

let preparedCount = 0;

const POSTGRES_ENGINE: SqlEngine = {
  hasRowLocks: true,
  blocksEventLoop: false,
  tryLockEventLog: db => tryAdvisoryLock(db, EVENT_LOG_LOCK),
  nowMs: async db => {
    const milliseconds = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
    const { rows } = await sql<{ now: number }>`select ${milliseconds} as now`.execute(db);
    if (rows[0] === undefined) throw new Error('the query for the time of PostgreSQL returned no row');
    return rows[0].now;
  },
  // PostgreSQL plans a named statement once per connection.
  prepare: query => {
    preparedCount += 1;
    const statement = { ...query, name: `hostler_${preparedCount}` };
    return async (parameters, db) => (await db.executeQuery({ ...statement, parameters })).rows;
  },
};

interface OpenPostgresOptions extends MigrationOptions {
  readonly attach?: boolean;
  readonly connections?: number;
  readonly responseTimeoutMs?: number;
  /** A direct connection to the same PostgreSQL, for when `url` points to a pooler that shares sessions. */
  readonly directUrl?: string | undefined;
  /** Replaces the clock of PostgreSQL, which all servers use. */
  readonly clock?: Pick<Clock, 'now'>;
  readonly metrics?: StoreMetrics;
}

/** Opens the store that several servers share. With `attach` the schema is not migrated. */
export async function openPostgres(
  url: string,
  {
    attach = false,
    connections = MAX_CONNECTIONS,
    responseTimeoutMs = RESPONSE_TIMEOUT_MS,
    directUrl = url,
    clock,
    metrics,
    ...migration
  }: OpenPostgresOptions = {},
): Promise<Store> {
  const engine: SqlEngine = clock ? { ...POSTGRES_ENGINE, nowMs: async () => clock.now() } : POSTGRES_ENGINE;
  const outageRetry = new OutageRetry();
  const pool = createPool(url, { size: connections, responseTimeoutMs });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, outageRetry, metrics) });
  try {
    await (attach ? assertSchemaCurrent(db) : migratePostgres(directUrl, db, migration));
  } catch (error) {
    await db.destroy();
    throw isLoginRejected(error)
      ? new OperatorError(`PostgreSQL rejected the connection: ${error.message}; check the setting store`)
      : error;
  }
  const snapshots = new Semaphore(MAX_SNAPSHOTS, Number.POSITIVE_INFINITY);
  const signals = new SignalBus();
  const channel = attach
    ? undefined
    : new SignalChannel(directUrl, incoming => signals.emit(incoming), migration.onWarning ?? (() => {}));
  const notify = (outgoing: Iterable<Signal>) => {
    signals.emit(outgoing);
    channel?.notify(outgoing);
  };
  const shouldRetry = (error: unknown, attempt: number) => outageRetry.shouldRetry(error, attempt);
  const store: Store = {
    isShared: true,
    listen: listener => signals.listen(listener),
    notify,
    reads: new Repositories(db, engine),
    transaction: run => runTransaction(db, engine, run, { isConflict: isSerializationFailure, shouldRetry, notify }),
    snapshot: run =>
      snapshots.run(() =>
        outageRetry.run(() =>
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute(transaction => run(new Repositories(transaction, engine))),
        ),
      ),
    // A transaction with an ID writes to the write-ahead log when it commits.
    checkWritable: async () => {
      await sql`select txid_current()`.execute(db);
    },
    hasCurrentSchema: () => hasCurrentSchema(db),
    poolStats: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await channel?.close();
      await db.destroy();
    },
  };
  return metrics ? withMetrics(store, metrics) : store;
}
