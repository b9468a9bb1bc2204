import type { Host } from '../../domain/hosts/host.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { askNetwork, done } from '../outcomes.ts';
import { WITH_A_FORMER_MANAGER } from '../patience.ts';
import type { Step } from '../step.ts';

/** Takes back what the servers of the network that its cluster had keep for the host. */
export const forgetInNetwork: Step<WorkOf<'leave'>, Host | null> = {
  name: 'release_network_lease',
  patience: WITH_A_FORMER_MANAGER,
  async run({ work, networkRecord, openNetwork }) {
    // It is back, or another host is there now.
    if (work.network === null || (await networkRecord())?.name === work.network.name) return done();
    const record = work.network;
    return askNetwork(async () => {
      const { network } = await openNetwork(record, work.containerManager?.type ?? null);
      await network.forget(work.host);
      return done();
    });
  },
};
