import type { Host } from '../domain/host.ts';
import type { WorkOf } from '../domain/work.ts';
import { again, done } from './outcomes.ts';
import { WITH_A_FORMER_MANAGER } from './patience.ts';
import type { Operation, Step } from './step.ts';

type Leave = WorkOf<'leave'>;

/** Takes the host, and no other node, out of the container manager that its cluster had. */
const deregister: Step<Leave, Host | null> = {
  name: 'deregister',
  patience: WITH_A_FORMER_MANAGER,
  async run({ work, containerManager, open }) {
    // It is back, or another host is there now: then it is to stay a node, or has become one already.
    const current = await containerManager();
    if (current !== null && current.name === work.containerManager?.name)
      return done({ deregistered: false });
    const manager = work.containerManager && (await open(work.containerManager));
    if (!manager) return done({ deregistered: false });
    try {
      await manager.remove(work.host);
    } catch (error) {
      return again(`container_manager: ${error instanceof Error ? error.message : String(error)}`);
    }
    return done({ deregistered: true });
  },
};

/** What is left to be done when a host has left a cluster, or was removed altogether. */
export const leave: Operation<Leave, Host | null> = {
  kind: 'leave',
  steps: [deregister],
  needsHost: false,
  causeOfFailure: null,
};
