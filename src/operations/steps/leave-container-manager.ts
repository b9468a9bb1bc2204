import type { Host } from '../../domain/hosts/host.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { carryOut } from '../carry-out.ts';
import { askManager, done, onceOutOfPatience } from '../outcomes.ts';
import { WITH_A_FORMER_HOST } from '../patience.ts';
import type { Step } from '../step.ts';

/** The host's own part of being no node any more. A host that does not answer for long is left as it is. */
export const leaveContainerManager: Step<WorkOf<'leave'>, Host | null> = {
  name: 'leave_container_manager',
  patience: WITH_A_FORMER_HOST,
  async run(context) {
    const { work, host, progress, managerRecord, openManager } = context;
    const record = work.isNode ? work.containerManager : null;
    // It is back already, or nothing of it can be reached any more.
    if (host === null || record === null || (await managerRecord())?.name === record.name) return done();
    const left = await askManager(async () => {
      const manager = await openManager(record);
      const task = await manager.leaveTask(host);
      if (task === null) return done();
      const problem = await carryOut(context, task);
      if (problem !== undefined) return problem;
      // What was still running there may have come back as a node.
      await manager.remove(host.address);
      return done({ left: true });
    });
    return onceOutOfPatience(left, progress, done({ left: false }));
  },
};
