import type { CompiledQuery, Kysely } from 'kysely';
import type { Signal } from '../domain/events/signal.ts';
import type { LockOrder } from './lock-order.ts';
import type { Tables } from './tables/tables.ts';

/** Runs one query with other values each time, in a transaction or outside of one. */
export type PreparedQuery = (values: readonly unknown[], db: Kysely<Tables>) => Promise<readonly unknown[]>;

/** What repositories must know of the engine they speak to. */
export interface SqlEngine {
  /** Whether rows are locked one by one; if not, a transaction has the whole store to itself. */
  readonly hasRowLocks: boolean;
  /** Whether statements run in this process, which serves nothing else meanwhile. */
  readonly blocksEventLoop: boolean;
  /** Whether the log is ours until the transaction ends; if not, another server has it. */
  tryLockLog(db: Kysely<Tables>): Promise<boolean>;
  /** Milliseconds since 1970 by the clock that all who share the store go by. */
  nowMs(db: Kysely<Tables>): Promise<number>;
  /** The shortest way of a query to the engine. */
  prepare(query: CompiledQuery): PreparedQuery;
}

/** What repositories speak to: an engine, in a transaction or outside of one. */
export interface SqlSession {
  readonly db: Kysely<Tables>;
  readonly engine: SqlEngine;
  /** How rows are locked in this transaction. */
  readonly order: LockOrder;
  /** What servers are to hear of once the transaction is committed. */
  readonly signals: Set<Signal>;
}
