import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { again, askManager, done } from '../outcomes.ts';
import { WITH_A_MANAGER } from '../patience.ts';
import type { Step } from '../step.ts';

/** Makes the host a node of the container manager of its cluster, where there is one. */
export const register: Step<WorkOf<'bootstrap' | 'join'>> = {
  name: 'register_node',
  patience: WITH_A_MANAGER,
  async run({ host, managerRecord, openManager }) {
    // One that is not bootstrapped yet is registered at the end of that.
    if (!isBootstrapped(host.status)) return done({ registered: false });
    const record = await managerRecord();
    if (record === null) return done({}, { cause: 'settled' });
    return askManager(async () => {
      const manager = await openManager(record);
      const problem = await manager.register(host);
      return problem === undefined
        ? done({ registered: true }, { registeredWith: record.name, cause: 'settled' })
        : again(`not_registered: ${problem}`);
    });
  },
};
