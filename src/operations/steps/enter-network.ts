import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { Patience } from '../../domain/work/patience.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import type { NetworkDriver } from '../../drivers/network/network.ts';
import { carryOut } from '../carry-out.ts';
import { askNetwork, done, failed, neverGivingUp } from '../outcomes.ts';
import type { Outcome, Step } from '../step.ts';

const NAMES = { host: 'join_network', node: 'join_network_as_node' } as const;

/** Brings the host into the network of its cluster: before it is a node, or, for networks that come with the container manager, after. */
export const enterNetwork = (
  as: NetworkDriver['entersAs'],
  patience: Patience,
): Step<WorkOf<'bootstrap' | 'join'>> => ({
  name: NAMES[as],
  patience,
  async run(context) {
    const { work, host, networkRecord, managerRecord, openNetwork } = context;
    const isFirstTime = work.kind === 'bootstrap';
    const afterAll = (outcome: Outcome) => (isFirstTime && as === 'host' ? outcome : neverGivingUp(outcome));
    // One that is not bootstrapped yet is brought in on the way.
    if (!isFirstTime && !isBootstrapped(host.status)) return done();
    const record = await networkRecord();
    if (record === null) return done();
    return askNetwork(async () => {
      const { entersAs, network } = await openNetwork(record, (await managerRecord())?.type ?? null);
      if (entersAs !== as) return done();
      const problem = await network.prepare();
      if (problem !== undefined) return afterAll(failed(`network: ${problem}`));
      const task = await network.joinTask(host);
      return afterAll((task && (await carryOut(context, task))) ?? done({ entered: task !== null }));
    });
  },
});
