import { sweepEveryMs } from '../../domain/retention.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { EnginePorts } from '../ports.ts';

/** In one transaction: an operation may have many hosts. */
const AT_ONCE = 10;

/** Forgets operations that ended too long ago, now and every few hours, sooner where they are kept for less than days. Answers what ends that. */
export function forgetOldOperations(
  { store, clock, log, settings }: Pick<EnginePorts, 'store' | 'clock' | 'log' | 'settings'>,
  mayWork: () => boolean,
): () => void {
  let cancel = () => {};
  const forget = async () => {
    try {
      const forgetSome = () =>
        store.transaction(async records => {
          // By the clock that all servers share: one whose own is ahead must not forget for all.
          const before = formatTimestamp((await records.nowMs()) - settings.keepOperationsMs);
          return records.operations.removeEndedBefore(before, AT_ONCE);
        });
      while (mayWork() && (await forgetSome()) > 0);
    } catch (error) {
      log.warn({ err: error }, 'failed to remove old operations; retrying later');
    }
    if (mayWork()) cancel = clock.after(sweepEveryMs(settings.keepOperationsMs), () => void forget());
  };
  void forget();
  return () => cancel();
}
