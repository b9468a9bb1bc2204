import type { Address } from '../../domain/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { cannotBeAsked } from '../../domain/driver-record.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Foresight } from '../../domain/rolling/foreseen.ts';
import { messageOf } from '../../lib/message-of.ts';
import { within } from '../../lib/sleep.ts';
import type { Ports } from '../ports.ts';

/** A person waits for the answer. */
const ANSWER_WITHIN_MS = 5000;

interface NamedControlPlane extends Pick<Foresight, 'muteManager'> {
  readonly controlPlane: readonly Address[];
  /** Why it is not known; `''`: it is. */
  readonly problem: string;
}

const unknown = (why: string) => `who belongs to the control plane is not known: ${why}`;

/** The nodes that the container manager of a cluster itself runs on, if it says so soon. */
export async function namedControlPlane(ports: Ports, cluster: RecordName): Promise<NamedControlPlane> {
  const record = await ports.store.reads.driverRecords.managerOf(cluster);
  if (!record) return { controlPlane: [], muteManager: null, problem: '' };
  const silent = { controlPlane: [], muteManager: null, problem: unknown(`${record.name} does not answer`) };
  return (await within(ports.clock, ANSWER_WITHIN_MS, () => asked(ports, record))) ?? silent;
}

async function asked({ openManager }: Ports, record: DriverRecord): Promise<NamedControlPlane> {
  const none = { controlPlane: [], muteManager: null };
  try {
    const manager = await openManager(record);
    if (manager) return { ...none, controlPlane: await manager.controlPlane(), problem: '' };
    return { ...none, muteManager: record, problem: unknown(cannotBeAsked(record)) };
  } catch (error) {
    return { ...none, problem: unknown(`${record.name} says: ${messageOf(error)}`) };
  }
}
