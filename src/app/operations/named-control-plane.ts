import type { Address } from '../../domain/addresses/address.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { Ports } from '../ports.ts';

/** A person waits for the answer. */
const ANSWER_WITHIN_MS = 5000;

interface NamedControlPlane {
  readonly controlPlane: readonly Address[];
  /** Why it is not known; `''`: it is. */
  readonly problem: string;
}

/** The nodes that the container manager of a cluster itself runs on, if it says so soon. */
export async function namedControlPlane(ports: Ports, cluster: RecordName): Promise<NamedControlPlane> {
  const record = await ports.store.reads.driverRecords.managerOf(cluster);
  if (!record) return { controlPlane: [], problem: '' };
  const read = async () => (await ports.openManager(record)).controlPlane();
  try {
    return { controlPlane: await inTime(ports.clock, ANSWER_WITHIN_MS, read), problem: '' };
  } catch (error) {
    const why = `container manager ${record.name}: ${messageOf(error)}`;
    return { controlPlane: [], problem: `the control plane nodes are unknown: ${why}` };
  }
}
