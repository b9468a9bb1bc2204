import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { within } from '../../lib/time/sleep.ts';
import type { Ports } from '../ports.ts';

/** A person waits for the answer. */
const ANSWER_WITHIN_MS = 5000;

interface NamedControlPlane {
  readonly controlPlane: readonly Address[];
  /** Why it is not known; `''`: it is. */
  readonly problem: string;
}

const unknown = (why: string): NamedControlPlane => ({
  controlPlane: [],
  problem: `the control plane nodes are unknown: ${why}`,
});

/** The nodes that the container manager of a cluster itself runs on, if it says so soon. */
export async function namedControlPlane(ports: Ports, cluster: RecordName): Promise<NamedControlPlane> {
  const record = await ports.store.reads.driverRecords.managerOf(cluster);
  if (!record) return { controlPlane: [], problem: '' };
  const answer = await within(ports.clock, ANSWER_WITHIN_MS, () => asked(ports, record));
  return answer ?? unknown(`${record.name} does not respond`);
}

async function asked({ openManager }: Ports, record: DriverRecord): Promise<NamedControlPlane> {
  try {
    return { controlPlane: await (await openManager(record)).controlPlane(), problem: '' };
  } catch (error) {
    return unknown(`${record.name} reports: ${messageOf(error)}`);
  }
}
