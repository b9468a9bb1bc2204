import type { Claim } from '../../domain/agenda.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import { inTime } from '../../lib/sleep.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';

/** No call takes longer; what takes its time, as a drain does, is asked about again. */
const ANSWER_WITHIN_MS = 60_000;

/** Opens a container manager of which nothing is asked, and for which nothing is remembered, by a server that has lost the host. */
export async function openGuardedManager(
  { openManager, clock }: Pick<EnginePorts, 'openManager' | 'clock'>,
  lease: Pick<Lease, 'require' | 'isHeld' | 'incarnation'>,
  claim: Claim,
  record: DriverRecord,
): Promise<ContainerManager | undefined> {
  const manager = await openManager(record, {
    write: async records => {
      lease.require();
      if (!(await records.claims.hold(claim, lease.incarnation))) throw new LostClaim();
    },
    mayProceed: () => lease.isHeld(),
  });
  const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
    lease.require();
    const answer = await inTime(clock, ANSWER_WITHIN_MS, ask, 'it does not answer');
    lease.require();
    return answer;
  };
  return (
    manager && {
      register: node => guarded(() => manager.register(node)),
      remove: node => guarded(() => manager.remove(node)),
      report: node => guarded(() => manager.report(node)),
      cordon: (node, mark) => guarded(() => manager.cordon(node, mark)),
      uncordon: (node, mark) => guarded(() => manager.uncordon(node, mark)),
      drain: (node, how) => guarded(() => manager.drain(node, how)),
      disruptionProblem: node => guarded(() => manager.disruptionProblem(node)),
      controlPlane: () => guarded(() => manager.controlPlane()),
    }
  );
}
