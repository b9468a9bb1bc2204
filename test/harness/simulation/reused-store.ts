// One store for many consecutive simulations, because opening and migrating a store takes longer than most of
// them. SQLite is in memory on one connection. A read sees only committed data.

import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { hasCurrentSchema, migrate } from '../../../src/store/migrate.ts';
import { Repositories } from '../../../src/store/repositories/index.ts';
import { SqliteConnection } from '../../../src/store/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/store/sqlite/dialect.ts';
import type { Store } from '../../../src/store/store.ts';
import { SignalBus } from '../../../src/store/store.ts';
import type { Tables } from '../../../src/store/tables/tables.ts';
import { runTransaction } from '../../../src/store/transaction.ts';
import type { StoreKind } from '../stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../stores/stores.ts';
import { interceptCalls } from './intercept-calls.ts';

/** A new store has rows in these tables. */
type PreservedTable = 'accounts' | 'log_state' | 'service_identity';

/** In deletion order: a table before the tables that it references. */
const CLEARED_TABLES: Readonly<Record<Exclude<keyof Tables, PreservedTable>, true>> = {
  operation_output: true,
  operation_hosts: true,
  operations: true,
  idempotency_keys: true,
  service_flags: true,
  outbox: true,
  log: true,
  log_keys: true,
  tasks: true,
  cluster_policies: true,
  cluster_statuses: true,
  webhooks: true,
  enrolment_tokens: true,
  sessions: true,
  sign_in_networks: true,
  source_refreshes: true,
  host_queue: true,
  servers: true,
  driver_memory: true,
  host_labels: true,
  host_access: true,
  hosts: true,
  clusters: true,
  driver_records: true,
  data_keys: true,
};

/** A trigger allows deleting only pruned log entries. */
const CLEAR_SQL = [
  'update log_state set first_id = last_id + 1',
  ...Object.keys(CLEARED_TABLES).map(table => `delete from ${table}`),
  "update log_state set last_id = 0, last_hash = '', first_id = 1, first_readable_id = 1, prune_point_json = null",
].join(';\n');

type Rows = readonly Readonly<Record<string, unknown>>[];
type Time = Pick<Clock, 'now'>;

export interface ReusedStore {
  /** Empties the store. `onCommit` is awaited after each commit, before the transaction returns. */
  reset(clock: Time, onCommit: () => Promise<void>): Promise<Store>;
  /** Runs all queries on the same snapshot. */
  rows<Name extends string>(queries: Readonly<Record<Name, string>>): Promise<Record<Name, Rows>>;
  close(): Promise<void>;
}

/** State of the current simulation. */
interface CurrentRun {
  readonly clock: Time;
  readonly onCommit: () => Promise<void>;
  readonly signals: SignalBus;
}

async function inMemory(): Promise<ReusedStore> {
  let current: CurrentRun = { clock: { now: () => 0 }, onCommit: async () => {}, signals: new SignalBus() };
  let last: Promise<unknown> = Promise.resolve();
  let runningCount = 0;
  const database = new Database(':memory:');
  database.pragma('foreign_keys = on');
  const connection = new SqliteConnection(database, { now: () => current.clock.now() });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  await migrate(db);
  /** Serializes transactions, including their `onCommit`. */
  const inSequence = async <T>(run: () => Promise<T>): Promise<T> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    runningCount += 1;
    await before;
    try {
      return await run();
    } finally {
      runningCount -= 1;
      resolve();
    }
  };
  const store: Store = {
    isShared: false,
    listen: listener => current.signals.listen(listener),
    notify: signals => current.signals.emit(signals),
    reads: interceptCalls(new Repositories(db, connection.engine), async call => {
      while (runningCount > 0) await last;
      return call();
    }),
    transaction: run =>
      inSequence(async () => {
        const result = await runTransaction(db, connection.engine, run, {
          isConflict: () => false,
          notify: signals => current.signals.emit(signals),
        });
        await current.onCommit();
        return result;
      }),
    snapshot: run =>
      inSequence(() => db.transaction().execute(async on => run(new Repositories(on, connection.engine)))),
    checkWritable: async () => {},
    hasCurrentSchema: () => hasCurrentSchema(db),
    close: async () => {},
  };
  return {
    reset: async (clock, onCommit) => {
      current = { clock, onCommit, signals: new SignalBus() };
      database.exec(CLEAR_SQL);
      return store;
    },
    rows: async <Name extends string>(queries: Readonly<Record<Name, string>>) => {
      const results: Partial<Record<Name, Rows>> = {};
      for (const name in queries) results[name] = connection.query<Rows[number]>(queries[name]).rows;
      return results as Record<Name, Rows>;
    },
    close: async () => {
      await db.destroy();
      connection.close();
    },
  };
}

async function onPostgres(): Promise<ReusedStore> {
  let current: CurrentRun | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const database = await createTestDatabase('postgres', { isMigrated: true });
  const opened = await openTestDatabase(database, { clock: { now: () => current?.clock.now() ?? 0 } });
  opened.listen(signal => current?.signals.emit([signal]));
  const client = new pg.Client({ connectionString: database.location });
  await client.connect();
  const store: Store = {
    ...opened,
    listen: listener => current?.signals.listen(listener) ?? (() => {}),
    transaction: async run => {
      const result = await opened.transaction(run);
      await current?.onCommit();
      return result;
    },
    close: async () => {},
  };
  return {
    reset: async (clock, onCommit) => {
      current = { clock, onCommit, signals: new SignalBus() };
      await client.query(CLEAR_SQL);
      return store;
    },
    // One statement is one snapshot; one connection never reads older data.
    rows: async queries => {
      const columns = Object.entries<string>(queries).map(
        ([name, query]) => `(select coalesce(json_agg(rows), '[]') from (${query}) rows) as ${name}`,
      );
      const querying = last.then(() => client.query(`select ${columns.join(', ')}`));
      last = querying.catch(() => {});
      const { rows } = await querying;
      return rows[0];
    },
    close: async () => {
      await client.end();
      await opened.close();
      await database.remove();
    },
  };
}

export const reusedStore = (kind: StoreKind): Promise<ReusedStore> => (kind === 'sqlite' ? inMemory() : onPostgres());
