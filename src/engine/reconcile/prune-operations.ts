import { pruneIntervalMs } from '../../domain/retention.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { EnginePorts } from '../ports.ts';

/** In one transaction: an operation may have many hosts. */
const BATCH_SIZE = 10;

/** Forgets operations that ended too long ago, now and every few hours, sooner where they are kept for less than days. Answers what ends that. */
export function startOperationPruning(
  { store, clock, log, settings }: Pick<EnginePorts, 'store' | 'clock' | 'log' | 'settings'>,
  isRunning: () => boolean,
): () => void {
  let cancel = () => {};
  const prune = async () => {
    try {
      const pruneBatch = () =>
        store.transaction(async records => {
          // By the clock that all servers share: one whose own is ahead must not forget for all.
          const before = formatTimestamp((await records.nowMs()) - settings.operationRetentionMs);
          return records.operations.removeEndedBefore(before, BATCH_SIZE);
        });
      while (isRunning() && (await pruneBatch()) > 0);
    } catch (error) {
      log.warn({ err: error }, 'failed to remove old operations; retrying later');
    }
    if (isRunning())
      cancel = clock.setTimer(pruneIntervalMs(settings.operationRetentionMs), () => void prune());
  };
  void prune();
  return () => cancel();
}
