import type { Host } from '../domain/hosts/host.ts';
import type { WorkOf } from '../domain/work/work.ts';
import type { Procedure } from './step.ts';
import { deregister } from './steps/deregister.ts';
import { forgetInNetwork } from './steps/forget-in-network.ts';
import { leaveContainerManager } from './steps/leave-container-manager.ts';
import { leaveNetwork } from './steps/leave-network.ts';

/** What is left to be done when a host has left a cluster, or was removed altogether. */
export const leave: Procedure<WorkOf<'leave'>, Host | null> = {
  kind: 'leave',
  // First what needs no host: one that is down for good is no node any more all the same.
  steps: [deregister, leaveContainerManager, leaveNetwork, forgetInNetwork],
  needsHost: false,
  causeOfFailure: null,
};
