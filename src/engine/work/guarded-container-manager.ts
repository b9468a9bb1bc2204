import type { Claim } from '../../domain/agenda.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

/** Opens a container manager of which nothing is asked, and for which nothing is remembered, by a server that has lost the host. */
export async function openGuardedManager(
  { openManager }: Pick<EnginePorts, 'openManager'>,
  lease: Lease,
  claim: Claim,
  record: DriverRecord,
): Promise<ContainerManager | undefined> {
  const manager = await openManager(record, async records => {
    lease.require();
    if (!(await records.claims.hold(claim, lease.incarnation))) throw new LostClaim();
  });
  const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
    lease.require();
    const answer = await ask();
    lease.require();
    return answer;
  };
  return (
    manager && {
      register: node => guarded(() => manager.register(node)),
      remove: node => guarded(() => manager.remove(node)),
      report: node => guarded(() => manager.report(node)),
    }
  );
}
