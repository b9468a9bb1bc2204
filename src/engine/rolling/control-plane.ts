import type { Address } from '../../domain/addresses/address.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

/** Nobody is started on before it answers, and others are not held up by it. */
const ANSWER_WITHIN_MS = 10_000;

/** The nodes of the control plane, as the container manager of the cluster names them; a text: why it does not. */
export async function controlPlaneOf(
  { store, clock, openManager }: Pick<EnginePorts, 'store' | 'clock' | 'openManager'>,
  lease: Lease,
  { cluster }: Pick<ClusterOperation, 'cluster'>,
): Promise<readonly Address[] | string> {
  const record = await store.reads.driverRecords.managerOf(cluster);
  if (!record) return [];
  try {
    const manager = await openManager(record, {
      write: async () => lease.require(),
      mayProceed: () => lease.isHeld(),
    });
    return await inTime(clock, ANSWER_WITHIN_MS, () => manager.controlPlane());
  } catch (error) {
    return `waiting for the container manager ${record.name}: ${messageOf(error)}`;
  }
}
