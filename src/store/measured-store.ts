import { AppError, StoreUnavailableError } from '../domain/errors.ts';
import { stopwatch } from '../lib/time/stopwatch.ts';
import type { StoreMeter } from './meter.ts';
import type { Store } from './store.ts';

/** The same store, whose transactions and snapshots are counted. */
export const measuredStore = (store: Store, meter: StoreMeter): Store => ({
  ...store,
  transaction: async work => {
    const seconds = stopwatch();
    let runs = 0;
    try {
      const answer = await store.transaction(records => {
        runs += 1;
        return work(records);
      });
      meter.transactionEnded(answer instanceof AppError ? 'rolled_back' : 'committed', seconds(), runs);
      return answer;
    } catch (error) {
      const outcome = error instanceof StoreUnavailableError ? 'unavailable' : 'failed';
      meter.transactionEnded(outcome, seconds(), runs);
      throw error;
    }
  },
  snapshot: async work => {
    const seconds = stopwatch();
    try {
      return await store.snapshot(work);
    } finally {
      meter.snapshotEnded(seconds());
    }
  },
});
