import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import { stopwatch } from '../lib/time/clock.ts';
import type { Store } from './store.ts';

/** The same store, whose transactions and snapshots are counted. */
export const withMetrics = (store: Store, metrics: StoreMetrics): Store => ({
  ...store,
  transaction: async run => {
    const seconds = stopwatch();
    let attempts = 0;
    try {
      const result = await store.transaction(records => {
        attempts += 1;
        return run(records);
      });
      metrics.transactionEnded(result instanceof AppError ? 'rolled_back' : 'committed', seconds(), attempts);
      return result;
    } catch (error) {
      const outcome = error instanceof StoreUnavailableError ? 'unavailable' : 'failed';
      metrics.transactionEnded(outcome, seconds(), attempts);
      throw error;
    }
  },
  snapshot: async run => {
    const seconds = stopwatch();
    try {
      return await store.snapshot(run);
    } finally {
      metrics.snapshotEnded(seconds());
    }
  },
});

/** `rolled_back`: the transaction returned an error. `unavailable`: the store was unavailable. `failed`: an unexpected exception. */
export const TRANSACTION_OUTCOMES = ['committed', 'rolled_back', 'unavailable', 'failed'] as const;
export type TransactionOutcome = (typeof TRANSACTION_OUTCOMES)[number];

/** Who counts what the store is asked. */
export interface StoreMetrics {
  /** `runs`: how often its work was run until then. */
  transactionEnded(outcome: TransactionOutcome, seconds: number, attempts: number): void;
  snapshotEnded(seconds: number): void;
  /** One statement, from asking to the answer, be it a failure. */
  statementEnded(seconds: number): void;
}
