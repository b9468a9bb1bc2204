import type { LockOrder } from './lock-order.ts';

/** What repositories must know of the engine they speak to. */
export interface EngineTraits {
  /** Whether rows are locked one by one; if not, a transaction has the whole store to itself. */
  readonly hasRowLocks: boolean;
}

/** How a transaction locks rows. */
export interface Locking extends EngineTraits {
  readonly order: LockOrder;
}
