import type { CompiledQuery, Kysely } from 'kysely';
import type { LockOrder } from './lock-order.ts';
import type { Tables } from './tables.ts';

/** A query that was compiled once; `name` is what an engine may remember its plan under. */
export interface NamedQuery extends CompiledQuery {
  readonly name: string;
}

/** What repositories must know of the engine they speak to. */
export interface EngineTraits {
  /** Whether rows are locked one by one; if not, a transaction has the whole store to itself. */
  readonly hasRowLocks: boolean;
  /** The shortest way of a compiled query to the engine. */
  run(query: NamedQuery, db: Kysely<Tables>): Promise<readonly unknown[]>;
}

/** What repositories speak to: an engine, in a transaction or outside of one. */
export interface Session {
  readonly db: Kysely<Tables>;
  readonly engine: EngineTraits;
  /** How rows are locked in this transaction. */
  readonly order: LockOrder;
}
