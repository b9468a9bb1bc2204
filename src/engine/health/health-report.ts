import type { HealthReport } from '../../domain/health-check.ts';
import type { EnginePorts } from '../ports.ts';
import type { PartitionDetector } from './partition-detector.ts';

/** Fraction of the check interval. A longer delay shows that the server cannot keep up. */
const LAG_TOLERANCE = 0.5;

export async function readHealthReport(
  { store, settings }: Pick<EnginePorts, 'store' | 'settings'>,
  partition: PartitionDetector,
): Promise<HealthReport> {
  const { reads } = store;
  const { checkedHosts, earliestCheckAt } = await reads.hostQueue.getCheckStats();
  const lagMs = earliestCheckAt === null ? 0 : Math.max(0, (await reads.nowMs()) - earliestCheckAt);
  const numbers = {
    intervalS: settings.checkIntervalMs / 1000,
    lagS: Math.round(lagMs / 1000),
    hosts: checkedHosts,
    unreachable: await reads.healthChecks.countUnreachable(),
  };
  if (partition.isPartitioned) {
    const detail =
      'most hosts stopped responding at once, so this server has probably lost its network; host statuses are not changed';
    return { ...numbers, state: 'partitioned', detail };
  }
  if (lagMs <= settings.checkIntervalMs * LAG_TOLERANCE) return { ...numbers, state: 'ok', detail: '' };
  const detail = 'health checks are late: this server cannot check all its hosts within one interval';
  return { ...numbers, state: 'lagging', detail };
}
