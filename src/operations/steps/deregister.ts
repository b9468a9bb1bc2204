import type { Host } from '../../domain/hosts/host.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { askManager, done } from '../outcomes.ts';
import { WITH_A_FORMER_MANAGER } from '../patience.ts';
import type { Step } from '../step.ts';

/** Takes the host, and no other node, out of the container manager that its cluster had. */
export const deregister: Step<WorkOf<'leave'>, Host | null> = {
  name: 'deregister_node',
  patience: WITH_A_FORMER_MANAGER,
  async run({ work, managerRecord, openManager }) {
    const record = work.isNode ? work.containerManager : null;
    // It is back, or another host is there now: then it is to stay a node, or has become one already.
    if (record === null || (await managerRecord())?.name === record.name)
      return done({ deregistered: false });
    return askManager(async () => {
      await (await openManager(record)).remove(work.host);
      return done({ deregistered: true });
    });
  },
};
