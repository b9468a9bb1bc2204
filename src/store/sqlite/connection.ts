import Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { StoreCorruptError, StoreUnavailableError } from '../../domain/errors.ts';
import type { CpuThrottle } from '../../lib/concurrency.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { SqlEngine } from '../sql-session.ts';
import type { StoreMetrics } from '../store-metrics.ts';

/** Lists of addresses produce many different statements; the oldest are dropped. */
const MAX_PREPARED = 500;

/** Locked too long by another process, or the disk is full, missing or read-only. */
const UNAVAILABLE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

const DAMAGED_CODES = /^SQLITE_(CORRUPT|NOTADB)/;

/** Migrations create every table and column, so a missing one was dropped. */
const isTableMissing = ({ code, message }: InstanceType<typeof Database.SqliteError>) =>
  code === 'SQLITE_ERROR' && /^no such (table|column): /.test(message);

function toStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (DAMAGED_CODES.test(error.code) || isTableMissing(error)) return new StoreCorruptError(error);
  return UNAVAILABLE_CODES.test(error.code) ? new StoreUnavailableError(error) : error;
}

export interface SqliteConnectionOptions {
  readonly metrics?: Pick<StoreMetrics, 'statementEnded'>;
  /** Limits the time per iteration of the event loop, to serve requests in between. Default: no limit. */
  readonly throttle?: CpuThrottle;
}

export class SqliteConnection implements DatabaseConnection {
  readonly database: Database.Database;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #metrics: Pick<StoreMetrics, 'statementEnded'> | undefined;
  readonly #throttle: CpuThrottle | undefined;
  /** For queries that are built each time. Statements from `engine.prepare` are kept by their caller. */
  readonly #prepared = new Map<string, Database.Statement>();
  #endedTransactions = 0;
  /** The first damage found. It stays set until the store is replaced. */
  #damage: StoreCorruptError | undefined;

  constructor(
    database: Database.Database,
    clock: Pick<Clock, 'now'> = systemClock,
    { metrics, throttle }: SqliteConnectionOptions = {},
  ) {
    this.database = database;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#throttle = throttle;
  }

  get damage(): StoreCorruptError | undefined {
    return this.#damage;
  }

  #attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      const failure = toStoreError(error);
      if (failure instanceof StoreCorruptError) this.#damage ??= failure;
      throw failure;
    }
  }

  #prepare(sql: string): Database.Statement {
    return this.#attempt(() => this.database.prepare(sql));
  }

  #prepareCached(sql: string): Database.Statement {
    const cached = this.#prepared.get(sql);
    if (cached) return cached;
    const statement = this.#prepare(sql);
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value ?? '');
    this.#prepared.set(sql, statement);
    return statement;
  }

  query<Row>(sql: string, parameters: readonly unknown[] = []): { rows: Row[]; changes: number } {
    return this.#run(this.#prepareCached(sql), parameters);
  }

  #run<Row>(statement: Database.Statement, parameters: readonly unknown[]): { rows: Row[]; changes: number } {
    const startedMs = this.#metrics && performance.now();
    try {
      return this.#attempt(() =>
        statement.reader
          ? { rows: statement.all(parameters) as Row[], changes: 0 }
          : { rows: [], changes: statement.run(parameters).changes },
      );
    } finally {
      if (startedMs !== undefined) this.#metrics?.statementEnded((performance.now() - startedMs) / 1000);
    }
  }

  /** Waits for a slice of the event loop. A statement must never run in a later transaction. */
  async #throttled<T>(run: () => T): Promise<T> {
    const endedBefore = this.#endedTransactions;
    const waiting = this.#throttle?.waitForSlice();
    if (waiting) {
      await waiting;
      if (!this.database.open) throw new StoreUnavailableError(new Error('the store is closed'));
      if (endedBefore !== this.#endedTransactions)
        throw new Error('the transaction of this statement has already ended');
    }
    return run();
  }

  commit(): void {
    this.#endedTransactions += 1;
    this.query('commit');
  }

  /** SQLite has already rolled back after a full disk, and a second rollback would hide the cause. */
  rollback(): void {
    this.#endedTransactions += 1;
    if (this.database.inTransaction) this.query('rollback');
  }

  /** A connection has one user at a time, so statements never wait for each other. */
  readonly engine: SqlEngine = {
    hasRowLocks: false,
    blocksEventLoop: true,
    tryLockEventLog: async () => true,
    nowMs: async () => this.#clock.now(),
    prepare: ({ sql }) => {
      const statement = this.#prepare(sql);
      return values => this.#throttled(() => this.#run(statement, values).rows);
    },
  };

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#throttled(() => this.query<Row>(sql, parameters));
    return { rows, numAffectedRows: BigInt(changes) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming of SQLite results is not supported');
  }

  /**
   * Writes the write-ahead log back into the file, even if another process has the store open. If that fails,
   * because the disk is full or the file is corrupt, the data stays in the log and is not lost.
   */
  checkpoint(): void {
    try {
      this.query('pragma wal_checkpoint(truncate)');
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** The last connection that is closed also writes the log back. */
  close(): void {
    if (this.database.open) this.database.close();
  }
}
