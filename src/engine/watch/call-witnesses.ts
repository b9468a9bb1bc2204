import type { Address } from '../../domain/addresses/address.ts';
import type { Records } from '../../store/records.ts';
import type { PartitionDetector } from './partition-detector.ts';

/** Has other hosts checked where too few were checked since this one is silent. Answers whether their results have to be waited for. */
export async function callWitnesses(
  partition: PartitionDetector,
  { agenda }: Pick<Records, 'agenda'>,
  host: Address,
  nowMs: number,
): Promise<boolean> {
  const wanted = partition.samplesWanted(host);
  if (wanted === 0) return false;
  if ((await agenda.callWitnesses(host, wanted, nowMs)) > 0) partition.witnessesCalled();
  return partition.areWitnessesPending;
}
