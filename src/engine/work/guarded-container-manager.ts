import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { askGuarded } from './ask-guarded.ts';

/** Opens a container manager of which nothing is asked, and for which nothing is remembered, by a server that has lost the host. */
export async function openGuardedManager(
  { openManager, clock }: Pick<EnginePorts, 'openManager' | 'clock'>,
  lease: Pick<Lease, 'require' | 'isHeld' | 'incarnation'>,
  claim: Claim,
  record: DriverRecord,
): Promise<ContainerManager> {
  const manager = await openManager(record, {
    write: async records => {
      lease.require();
      if (!(await records.claims.hold(claim, lease.incarnation))) throw new LostClaim();
    },
    mayProceed: () => lease.isHeld(),
  });
  const guarded = <T>(ask: () => Promise<T>): Promise<T> => askGuarded(clock, lease, ask);
  return {
    check: () => guarded(() => manager.check()),
    joinTask: host => guarded(() => manager.joinTask(host)),
    register: host => guarded(() => manager.register(host)),
    remove: node => guarded(() => manager.remove(node)),
    leaveTask: host => guarded(() => manager.leaveTask(host)),
    report: node => guarded(() => manager.report(node)),
    cordon: (node, mark) => guarded(() => manager.cordon(node, mark)),
    uncordon: (node, mark) => guarded(() => manager.uncordon(node, mark)),
    drain: (node, how) => guarded(() => manager.drain(node, how)),
    disruptionProblem: node => guarded(() => manager.disruptionProblem(node)),
    controlPlane: () => guarded(() => manager.controlPlane()),
  };
}
