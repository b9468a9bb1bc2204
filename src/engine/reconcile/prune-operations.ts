import { pruneIntervalMs } from '../../domain/retention.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { EnginePorts } from '../ports.ts';

/** Limits the size of a transaction, because an operation can have many hosts. */
const BATCH_SIZE = 10;

export function startOperationPruning(
  { store, clock, log, settings }: Pick<EnginePorts, 'store' | 'clock' | 'log' | 'settings'>,
  isRunning: () => boolean,
): () => void {
  let cancel = () => {};
  const prune = async () => {
    try {
      const pruneBatch = () =>
        store.transaction(async records => {
          // Uses the store clock: a server whose clock is ahead must not delete operations early.
          const before = formatTimestamp((await records.nowMs()) - settings.operationRetentionMs);
          return records.operations.removeEndedBefore(before, BATCH_SIZE);
        });
      while (isRunning() && (await pruneBatch()) > 0);
    } catch (error) {
      log.warn({ err: error }, 'failed to remove old operations; retrying later');
    }
    if (isRunning()) cancel = clock.setTimer(pruneIntervalMs(settings.operationRetentionMs), () => void prune());
  };
  void prune();
  return () => cancel();
}
