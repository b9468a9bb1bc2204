import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import { stopwatch } from '../lib/time/clock.ts';
import type { Store } from './store.ts';

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
type TransactionOutcome = (typeof TRANSACTION_OUTCOMES)[number];

export interface StoreMetrics {
  transactionEnded(outcome: TransactionOutcome, seconds: number, attempts: number): void;
  snapshotEnded(seconds: number): void;
  /** The duration of one statement, including failed ones. */
  statementEnded(seconds: number): void;
}
