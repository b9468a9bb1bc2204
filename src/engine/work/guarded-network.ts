import type { DriverRecord } from '../../domain/driver-record.ts';
import type { OpenNetwork } from '../../drivers/network/network.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { askGuarded } from './ask-guarded.ts';

/** Opens a network of whose servers nothing is asked by a server that has lost its lease. */
export async function openGuardedNetwork(
  { openNetwork, clock }: Pick<EnginePorts, 'openNetwork' | 'clock'>,
  lease: Pick<Lease, 'require' | 'isHeld'>,
  record: DriverRecord,
  managerType: string | null,
): Promise<OpenNetwork> {
  const { entersAs, network } = await openNetwork(record, managerType, { mayProceed: () => lease.isHeld() });
  const guarded = <T>(ask: () => Promise<T>): Promise<T> => askGuarded(clock, lease, ask);
  return {
    entersAs,
    network: {
      check: () => guarded(() => network.check()),
      prepare: () => guarded(() => network.prepare()),
      joinTask: host => guarded(() => network.joinTask(host)),
      leaveTask: host => guarded(() => network.leaveTask(host)),
      forget: node => guarded(() => network.forget(node)),
    },
  };
}
