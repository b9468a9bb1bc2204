import type { Host } from '../../domain/hosts/host.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import type { NodeReport } from '../../drivers/container-manager/node-report.ts';
import { carryOut } from '../carry-out.ts';
import { again, askManager, done, neverGivingUp } from '../outcomes.ts';
import { WITH_A_MANAGER } from '../patience.ts';
import type { Step } from '../step.ts';

/** Whether it is a node of the boot that the host is in, as far as the manager tells. */
const isWell = (report: NodeReport, { bootId }: Host): boolean =>
  report.state === 'registered' && report.ready && (report.bootId ?? bootId) === bootId;

/** The host's own part of becoming a node of the container manager of its cluster, where there is one. */
export const joinContainerManager: Step<WorkOf<'bootstrap' | 'join'>> = {
  name: 'join_container_manager',
  patience: WITH_A_MANAGER,
  async run(context) {
    const { host, managerRecord, openManager } = context;
    // One that is not bootstrapped yet joins at the end of that.
    if (!isBootstrapped(host.status)) return done();
    const record = await managerRecord();
    if (record === null) return done();
    return askManager(async () => {
      const manager = await openManager(record);
      const { problems } = await manager.check();
      if (problems.length > 0) return again(`container_manager: ${problems.join('; ')}`);
      const report = await manager.report(host.address);
      if (report.state === 'unavailable') return again(`container_manager: ${report.reason}`);
      // A node may be left over from before the host was installed anew.
      if (isWell(report, host)) return done({ joined: false });
      const task = await manager.joinTask(host);
      return neverGivingUp((task && (await carryOut(context, task))) ?? done({ joined: task !== null }));
    });
  },
};
