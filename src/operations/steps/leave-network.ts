import type { Host } from '../../domain/hosts/host.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { carryOut } from '../carry-out.ts';
import { askNetwork, done, onceOutOfPatience } from '../outcomes.ts';
import { WITH_A_FORMER_HOST } from '../patience.ts';
import type { Step } from '../step.ts';

/** Undoes on the host what brought it into the network of its cluster. A host that does not answer for long is left as it is. */
export const leaveNetwork: Step<WorkOf<'leave'>, Host | null> = {
  name: 'leave_network',
  patience: WITH_A_FORMER_HOST,
  async run(context) {
    const { work, host, progress, networkRecord, openNetwork } = context;
    const record = work.network;
    // It is back already, or nothing of it can be reached any more.
    if (host === null || record === null || (await networkRecord())?.name === record.name) return done();
    const left = await askNetwork(async () => {
      const { network } = await openNetwork(record, work.containerManager?.type ?? null);
      const task = await network.leaveTask(host);
      return (task && (await carryOut(context, task))) ?? done({ left: task !== null });
    });
    return onceOutOfPatience(left, progress, done({ left: false }));
  },
};
