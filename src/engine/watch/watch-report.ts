import type { WatchReport } from '../../domain/watch/watch-report.ts';
import type { EnginePorts } from '../ports.ts';
import type { PartitionDetector } from './partition-detector.ts';

/** A check that is later than this part of the interval shows that the server cannot keep up. */
const LATE = 0.5;

/** The state of the health checks. */
export async function watchReport(
  { store, settings }: Pick<EnginePorts, 'store' | 'settings'>,
  partition: PartitionDetector,
): Promise<WatchReport> {
  const { reads } = store;
  const { watched, earliestCheckAt } = await reads.agenda.report();
  const lagMs = earliestCheckAt === null ? 0 : Math.max(0, (await reads.nowMs()) - earliestCheckAt);
  const numbers = {
    intervalS: settings.checkIntervalMs / 1000,
    lagS: Math.round(lagMs / 1000),
    hosts: watched,
    unreachable: await reads.hostChecks.countUnreachable(),
  };
  if (partition.isPartitioned) {
    const detail =
      'most hosts stopped answering at once, so it is more likely that this server lost its network; statuses are kept';
    return { ...numbers, state: 'partitioned', detail };
  }
  if (lagMs <= settings.checkIntervalMs * LATE) return { ...numbers, state: 'ok', detail: '' };
  const detail = 'checks are late: there are more hosts than this server can check in an interval';
  return { ...numbers, state: 'lagging', detail };
}
