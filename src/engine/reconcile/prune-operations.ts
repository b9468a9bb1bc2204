import { pruneIntervalMs } from '../../domain/retention.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { EnginePorts } from '../ports.ts';

/** Limits the size of a transaction, because an operation can have many hosts. */
const BATCH_SIZE = 10;

export function startOperationPruning({
  store,
  clock,
  log,
  settings,
}: Pick<EnginePorts, 'store' | 'clock' | 'log' | 'settings'>): ThrottledJob {
  const intervalMs = pruneIntervalMs(settings.operationRetentionMs);
  const pruneBatch = () =>
    store.transaction(async records => {
      // Uses the store clock: a server whose clock is ahead must not delete operations early.
      const before = formatTimestamp((await records.nowMs()) - settings.operationRetentionMs);
      return records.operations.removeEndedBefore(before, BATCH_SIZE);
    });
  const job = new ThrottledJob({
    clock,
    minIntervalMs: 0,
    run: async () => {
      while (!job.isStopped && (await pruneBatch()) > 0);
      return intervalMs;
    },
    onError: err => log.warn({ err }, 'failed to remove old operations; retrying later'),
    retryMs: intervalMs,
  });
  job.scheduleIn(0);
  return job;
}
