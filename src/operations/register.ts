import { isWatched } from '../domain/host-status.ts';
import type { WorkOf } from '../domain/work.ts';
import { again, done } from './outcomes.ts';
import { WITH_A_MANAGER } from './patience.ts';
import type { Step } from './step.ts';

/** Makes the host a node of the container manager of its cluster, where there is one. */
export const register: Step<WorkOf<'bootstrap' | 'join'>> = {
  name: 'register',
  patience: WITH_A_MANAGER,
  async run({ host, containerManager, open }) {
    // One that is not bootstrapped yet is registered at the end of that.
    if (!isWatched(host.status)) return done({ registered: false });
    const record = await containerManager();
    if (record === null) return done({}, { cause: 'settled' });
    const manager = await open(record);
    if (manager === undefined) return done({ registered: false });
    try {
      await manager.register(host.address);
    } catch (error) {
      return again(`container_manager: ${error instanceof Error ? error.message : String(error)}`);
    }
    return done({ registered: true }, { registeredWith: record.name, cause: 'settled' });
  },
};
