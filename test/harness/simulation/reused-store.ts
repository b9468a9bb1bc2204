// One store for many simulations, one after the other: opening and migrating one takes longer than most of them. What is on SQLite is in
// memory, on one connection, so that nothing is waited for. What must hold: a read sees what is committed, and nothing else.

import path from 'node:path';
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
import { makeStorePlace, openPlace, runSql } from '../stores/stores.ts';
import { aroundCalls } from './around-calls.ts';

/** A new store has rows in these tables. */
type Kept = 'accounts' | 'log_state' | 'service_identity';

/** All other tables, in the order in which they are emptied: a table before the tables that it references. */
const EMPTIED: Readonly<Record<Exclude<keyof Tables, Kept>, true>> = {
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

/** Only what was cut off leaves the log. */
const EMPTY = [
  'update log_state set first_id = last_id + 1',
  ...Object.keys(EMPTIED).map(table => `delete from ${table}`),
  "update log_state set last_id = 0, last_hash = '', first_id = 1, first_readable_id = 1, prune_point_json = null",
].join(';\n');

type Rows = readonly Readonly<Record<string, unknown>>[];
type Time = Pick<Clock, 'now'>;

export interface ReusedStore {
  /** Empty, and the same for each server. `onCommit` is awaited after each commit, before whoever committed learns of it. */
  begin(clock: Time, onCommit: () => Promise<void>): Promise<Store>;
  /** What queries answer, all of one moment. */
  rows<Name extends string>(queries: Readonly<Record<Name, string>>): Promise<Record<Name, Rows>>;
  end(): Promise<void>;
}

/** Whose turn it is is decided by who began last. */
interface Beginning {
  readonly clock: Time;
  readonly onCommit: () => Promise<void>;
  readonly signals: SignalBus;
}

async function inMemory(): Promise<ReusedStore> {
  let now: Beginning = { clock: { now: () => 0 }, onCommit: async () => {}, signals: new SignalBus() };
  let last: Promise<unknown> = Promise.resolve();
  let underWay = 0;
  const database = new Database(':memory:');
  database.pragma('foreign_keys = on');
  const connection = new SqliteConnection(database, { now: () => now.clock.now() });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  await migrate(db);
  /** One after the other; what looks on after a commit belongs to it. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    underWay += 1;
    await before;
    try {
      return await work();
    } finally {
      underWay -= 1;
      resolve();
    }
  };
  const store: Store = {
    isShared: false,
    listen: listener => now.signals.listen(listener),
    notify: told => now.signals.emit(told),
    reads: aroundCalls(new Repositories(db, connection.engine), async call => {
      while (underWay > 0) await last;
      return call();
    }),
    transaction: work =>
      inTurn(async () => {
        const answer = await runTransaction(db, connection.engine, work, {
          isConflict: () => false,
          notify: heard => now.signals.emit(heard),
        });
        await now.onCommit();
        return answer;
      }),
    snapshot: work =>
      inTurn(() => db.transaction().execute(async on => work(new Repositories(on, connection.engine)))),
    checkWritable: async () => {},
    hasCurrentSchema: () => hasCurrentSchema(db),
    close: async () => {},
  };
  return {
    begin: async (clock, onCommit) => {
      now = { clock, onCommit, signals: new SignalBus() };
      database.exec(EMPTY);
      return store;
    },
    rows: async <Name extends string>(queries: Readonly<Record<Name, string>>) => {
      const answers: Partial<Record<Name, Rows>> = {};
      for (const name in queries) answers[name] = connection.query<Rows[number]>(queries[name]).rows;
      return answers as Record<Name, Rows>;
    },
    end: async () => {
      await db.destroy();
      connection.close();
    },
  };
}

async function onPostgres(): Promise<ReusedStore> {
  let now: Beginning | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const place = await makeStorePlace('postgres');
  // Nothing has to outlive the run; for connections that are opened from now on.
  await runSql(
    place,
    `alter database ${path.posix.basename(new URL(place.location).pathname)} set synchronous_commit = off`,
  );
  const opened = await openPlace(place, { clock: { now: () => now?.clock.now() ?? 0 } });
  opened.listen(signal => now?.signals.emit([signal]));
  const client = new pg.Client({ connectionString: place.location });
  await client.connect();
  const store: Store = {
    ...opened,
    listen: listener => now?.signals.listen(listener) ?? (() => {}),
    transaction: async work => {
      const answer = await opened.transaction(work);
      await now?.onCommit();
      return answer;
    },
    close: async () => {},
  };
  return {
    begin: async (clock, onCommit) => {
      now = { clock, onCommit, signals: new SignalBus() };
      await client.query(EMPTY);
      return store;
    },
    // One statement is of one moment; one connection, in turn, never sees less than before.
    rows: async queries => {
      const parts = Object.entries<string>(queries).map(
        ([name, query]) => `(select coalesce(json_agg(rows), '[]') from (${query}) rows) as ${name}`,
      );
      const asked = last.then(() => client.query(`select ${parts.join(', ')}`));
      last = asked.catch(() => {});
      const { rows } = await asked;
      return rows[0];
    },
    end: async () => {
      await client.end();
      await opened.close();
      await place.remove();
    },
  };
}

export const reusedStore = (kind: StoreKind): Promise<ReusedStore> =>
  kind === 'sqlite' ? inMemory() : onPostgres();
